import { MAX_FORGET_TEXT_LENGTH, type MemoriesForgotten, routes } from '@annals/contracts';
import { z } from 'zod';
import { RefusedCall } from '../rest-calls.js';
import { defineTool } from './define-tool.js';

/** Of each list of texts in an answer; the rest is counted. */
const MAX_TEXTS = 20;

/** A key that may not read gets numbers alone. */
type Answer = Pick<MemoriesForgotten, 'dry_run' | 'plan' | 'counts'> & Partial<MemoriesForgotten>;

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget',
  description:
    'Delete what is remembered about something. By default only shows what would go; after the user agreed, repeat it with dry_run false and the plan.',
  use: 'When the user asks you to forget something, call memory_forget, show what would go, and carry it out once they agree.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  routes: [routes.forgetMemories],
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(MAX_FORGET_TEXT_LENGTH)
      .describe('As the user says it: "that I live in Lisbon", "everything about my ex", "order 4711"'),
    dry_run: z.boolean().default(true),
    plan: z.string().optional().describe('Of the dry run: nothing else is forgotten'),
  }),
  output: z.object({
    dry_run: z.boolean(),
    plan: z.string(),
    counts: z.record(z.string(), z.number()),
    forgotten: z.array(z.string()),
    still_mentions: z.array(z.string()),
  }),
  async run({ text, dry_run, plan }, { userId, rest }) {
    const body = { user_id: userId, text, dry_run, plan };
    const answer: Answer = await rest.send(routes.forgetMemories, { body }).catch(nameCandidates);
    const structured = {
      dry_run: answer.dry_run,
      plan: answer.plan,
      counts: answer.counts,
      forgotten: listTexts([...(answer.memories ?? []), ...(answer.turns ?? [])]),
      still_mentions: listTexts(answer.still_mentions ?? []),
    };
    return { text: renderForgotten(structured), structured };
  },
});

function listTexts(items: readonly { readonly text?: string | undefined }[]): string[] {
  return items.flatMap(({ text }) => text ?? []).slice(0, MAX_TEXTS);
}

interface Forgotten {
  readonly dry_run: boolean;
  readonly plan: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly forgotten: readonly string[];
  readonly still_mentions: readonly string[];
}

function renderForgotten({ dry_run, plan, counts, forgotten, still_mentions }: Forgotten): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return 'Nothing that is remembered is about this, so there is nothing to forget.';
  const total = some.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ');
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)];
  return [
    dry_run ? `Would be forgotten for good: ${total}.` : `Forgotten for good: ${total}.`,
    ...list('Among it:', forgotten),
    ...list('Still mention it, and stay:', still_mentions),
    ...(dry_run
      ? [`Nothing was forgotten yet. If the user agrees, repeat the call with dry_run false and plan "${plan}".`]
      : []),
  ].join('\n');
}

/** Adds the subjects that fit to the problem that names no single one. */
function nameCandidates(error: unknown): never {
  const candidates = error instanceof RefusedCall ? error.problem.candidates : undefined;
  if (!(error instanceof RefusedCall) || !candidates?.length) throw error;
  const named = candidates.slice(0, MAX_TEXTS).map(({ text, mentions }) => `- ${text} (mentioned ${mentions} times)`);
  const detail = ['More than one subject fits. Ask the user which one, and send as text:', ...named].join('\n');
  throw new RefusedCall({ ...error.problem, detail });
}

import type { RouteDefinition } from '@annals/contracts';
import { z } from 'zod';
import { RefusedCall } from '../rest-calls.js';
import { defineTool, type Tool } from './define-tool.js';

/** Of each list of texts in an answer; the rest is counted. */
const MAX_TEXTS = 20;

const textsSchema = z.array(z.looseObject({ text: z.string().optional() })).default([]);

/** What the tool reads of the route's answer. A key that may not read memories gets no texts. */
const answerSchema = z.looseObject({
  dry_run: z.boolean(),
  plan: z.string().optional(),
  forgotten: z.looseObject({ memories: textsSchema, turns: textsSchema }),
  still_mentions: textsSchema,
});

const candidatesSchema = z.array(z.looseObject({ subject: z.string(), label: z.string() }));

/** Of `POST /v1/memories/forget`. */
export function createMemoryForget(route: RouteDefinition): Tool {
  return defineTool({
    name: 'memory_forget',
    title: 'Forget',
    description:
      'Delete what is remembered about something. By default only shows what would go; after the user agreed, repeat it with dry_run false and the plan.',
    use: 'When the user asks you to forget something, call memory_forget, show what would go, and carry it out once they agree.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    routes: [route],
    input: z.strictObject({
      text: z.string().min(1).max(4_000).describe('What to forget: a statement, a person, a topic, a number'),
      dry_run: z.boolean().default(true),
      subject: z.string().min(1).max(200).optional().describe('One of the candidates that an earlier call named'),
      plan: z.string().min(1).max(500).optional().describe('Of the dry run: nothing else is forgotten'),
    }),
    output: z.object({
      dry_run: z.boolean(),
      plan: z.string().optional(),
      total: z.number(),
      forgotten: z.array(z.string()),
      still_mentions: z.array(z.string()),
    }),
    async run({ text, dry_run, subject, plan }, { userId, rest }) {
      const body = { user_id: userId, text, dry_run, subject, plan };
      const answer = answerSchema.parse(await rest.send(route, { body }).catch(nameCandidates));
      const { memories, turns } = answer.forgotten;
      const structured = {
        dry_run: answer.dry_run,
        plan: answer.plan,
        total: memories.length + turns.length,
        forgotten: listTexts([...memories, ...turns]),
        still_mentions: listTexts(answer.still_mentions),
      };
      return { text: renderForgotten(structured), structured };
    },
  });
}

function listTexts(items: z.output<typeof textsSchema>): string[] {
  return items.flatMap(({ text }) => text ?? []).slice(0, MAX_TEXTS);
}

interface Forgotten {
  readonly dry_run: boolean;
  readonly plan: string | undefined;
  readonly total: number;
  readonly forgotten: readonly string[];
  readonly still_mentions: readonly string[];
}

function renderForgotten({ dry_run, plan, total, forgotten, still_mentions }: Forgotten): string {
  if (total === 0) return 'Nothing that is remembered is about this, so there is nothing to forget.';
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `- ${line}`)];
  const agreed = plan === undefined ? 'dry_run false' : `dry_run false and plan ${JSON.stringify(plan)}`;
  return [
    ...list(dry_run ? `Would be forgotten (${total}):` : `Forgotten (${total}):`, forgotten),
    ...list('Still mention it, and stay:', still_mentions),
    ...(dry_run ? [`Nothing was forgotten yet. If the user agrees, repeat the call with ${agreed}.`] : []),
  ].join('\n');
}

/** Adds the subjects that fit to the problem that names no single one. */
function nameCandidates(error: unknown): never {
  if (!(error instanceof RefusedCall)) throw error;
  const candidates = candidatesSchema.safeParse(error.problem.candidates);
  if (!candidates.success) throw error;
  const named = candidates.data.slice(0, MAX_TEXTS).map(({ subject, label }) => `- ${subject}: ${label}`);
  const detail = [error.problem.detail, 'Ask the user which one, and send it as subject:', ...named].join('\n');
  throw new RefusedCall({ ...error.problem, detail });
}

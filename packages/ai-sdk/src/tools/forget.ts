import { ConflictError, type MemoriesForgotten, type MemoriesForgottenAcknowledgement } from '@annals/sdk';
import { jsonSchema, type Tool, tool } from 'ai';
import { defined } from '../defined.js';
import type { ToolContext } from './annals-tools.js';
import { asText, renderList } from './recalled.js';

/** Of each list of texts in an answer; the rest is counted. */
const MAX_TEXTS = 20;

export interface ForgetInput {
  readonly text: string;
  readonly dry_run?: boolean;
  readonly plan?: string;
}

export interface ForgetOutput {
  readonly dry_run: boolean;
  readonly plan: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly forgotten: readonly string[];
  readonly still_mentions: readonly string[];
}

export function forgetTool({ client, user }: ToolContext): Tool<ForgetInput, ForgetOutput> {
  return tool({
    title: 'Forget',
    description:
      'Delete what is remembered about something, when the user asks for it. By default only shows what would go; after the user agreed, repeat it with dry_run false and the plan.',
    inputSchema: jsonSchema<ForgetInput>({
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'As the user says it: "that I live in Lisbon", "everything about my ex", "order 4711"',
        },
        dry_run: { type: 'boolean', default: true },
        plan: { type: 'string', description: 'Of the dry run: nothing else is forgotten' },
      },
      required: ['text'],
      additionalProperties: false,
    }),
    async execute({ text, dry_run = true, plan }, { abortSignal }): Promise<ForgetOutput> {
      if (!dry_run && plan === undefined)
        throw new Error('First call this without dry_run, show the user what would go, and send its plan.');
      const body = { user_id: user, text, dry_run, ...defined({ plan }) };
      const answer: MemoriesForgotten | MemoriesForgottenAcknowledgement = await client.memories
        .forget(body, defined({ signal: abortSignal }))
        .catch(nameCandidates);
      return {
        dry_run: answer.dry_run,
        plan: answer.plan,
        counts: answer.counts,
        // A key that may not read gets numbers alone.
        forgotten: 'memories' in answer ? listTexts([...answer.memories, ...answer.turns]) : [],
        still_mentions: 'still_mentions' in answer ? listTexts(answer.still_mentions) : [],
      };
    },
    toModelOutput: ({ output }) => asText(renderForgotten(output)),
  });
}

function listTexts(items: readonly { readonly text?: string }[]): string[] {
  return items.flatMap(({ text }) => text ?? []).slice(0, MAX_TEXTS);
}

function renderForgotten({ dry_run, plan, counts, forgotten, still_mentions }: ForgetOutput): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return 'Nothing that is remembered is about this, so there is nothing to forget.';
  const total = some.map(([name, count]) => `${count} ${name.replace('_', ' ')}`).join(', ');
  return [
    dry_run ? `Would be forgotten for good: ${total}.` : `Forgotten for good: ${total}.`,
    ...renderList('Among it:', forgotten),
    ...renderList('Still mention it, and stay:', still_mentions),
    ...(dry_run
      ? [`Nothing was forgotten yet. If the user agrees, repeat the call with dry_run false and plan "${plan}".`]
      : []),
  ].join('\n');
}

/** Names the subjects that fit, if more than one does. */
function nameCandidates(error: unknown): never {
  const candidates = error instanceof ConflictError ? error.problem.candidates : undefined;
  if (!candidates?.length) throw error;
  const named = candidates.slice(0, MAX_TEXTS).map(({ text, mentions }) => `${text} (mentioned ${mentions} times)`);
  const lines = renderList('More than one subject fits. Ask the user which one, and send as text:', named);
  throw new Error(lines.join('\n'), { cause: error });
}

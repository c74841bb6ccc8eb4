import { routes } from '@annals/contracts';
import { z } from 'zod';
import { invalidFields } from '../../http/parse-input.js';
import { RefusedCall } from '../rest-calls.js';
import { defineTool } from './define-tool.js';
import { dayOf, threadOfDay } from './mcp-thread.js';

const contentSchema = z.string().min(1).max(20_000);

const inputSchema = z.strictObject({
  text: contentSchema.optional().describe('What the user said, in their words: "I am allergic to nuts."'),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: contentSchema }))
    .min(1)
    .max(50)
    .optional()
    .describe('Instead of text: part of the conversation'),
  idempotency_key: z.string().min(1).max(200).optional(),
});

export const memoryRemember = defineTool({
  name: 'memory_remember',
  title: 'Remember',
  description:
    'Store what the user said about themselves. Facts are extracted from it in the background; personal numbers and secrets are masked.',
  use: 'When the user says something lasting about themselves, or asks you to remember something, call memory_remember.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  routes: [routes.postConversation],
  input: inputSchema,
  output: z.object({ accepted: z.number(), duplicates: z.number() }),
  async run(args, { userId, rest, now, deriveId }) {
    const messages = listMessages(args).map(({ role, content }, index) => ({
      role,
      content,
      id:
        args.idempotency_key === undefined
          ? deriveId('content', role, content)
          : deriveId('key', args.idempotency_key, String(index)),
    }));
    const body = { user_id: userId, thread_id: threadOfDay(dayOf(now)), messages, flush: true };
    const { accepted, duplicates, redactions } = await rest
      .send(routes.postConversation, { body })
      .catch(explainConflict);
    return { text: describeStored(accepted, redactions), structured: { accepted, duplicates } };
  },
});

function listMessages({ text, messages }: z.output<typeof inputSchema>) {
  if (text !== undefined && messages === undefined) return [{ role: 'user', content: text }] as const;
  if (messages !== undefined && text === undefined) return messages;
  throw invalidFields([{ path: 'arguments', message: 'Send either text or messages.' }]);
}

function describeStored(accepted: number, redactions: Readonly<Record<string, number>>): string {
  if (accepted === 0)
    return 'This was remembered today already, so nothing new was stored. To store it again after it was forgotten, send a new idempotency_key.';
  const masked = Object.entries(redactions).map(([kind, count]) => `${count} ${kind.toLowerCase()}`);
  return [
    'Stored. It can be recalled as it was said at once, and as facts in a moment.',
    ...(masked.length > 0 ? [`Masked before it was stored: ${masked.join(', ')}.`] : []),
  ].join(' ');
}

function explainConflict(error: unknown): never {
  if (!(error instanceof RefusedCall) || error.problem.code !== 'message_conflict') throw error;
  const detail = 'This idempotency_key was used today for something else: send a new one.';
  throw new RefusedCall({ ...error.problem, detail });
}

import { z } from 'zod';

/** Defaults of `memory` (docs/chat.md#the-memory-field). */
export const CHAT_MEMORY_DEFAULTS = { top_k: 5, budget_tokens: 1_000, threshold: 0.35 } as const;

/** What a chat completion remembers: the only field that Annals takes out of the body. */
export const chatMemorySchema = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe('False: nothing is recalled and nothing is stored; the call is passed through.'),
    top_k: z.number().int().min(1).max(100).default(CHAT_MEMORY_DEFAULTS.top_k).describe('Memories at most.'),
    budget_tokens: z
      .number()
      .int()
      .min(64)
      .max(100_000)
      .default(CHAT_MEMORY_DEFAULTS.budget_tokens)
      .describe('o200k tokens of everything that is added after the messages, at most.'),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(CHAT_MEMORY_DEFAULTS.threshold)
      .describe('Minimum relevance of a memory, 0–1.'),
    recency_weight: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Weight of recency in a score; the rest is relevance. By default that of the deployment.'),
    profile: z
      .boolean()
      .default(false)
      .describe(
        'Adds a block before all messages with what was known about the user when the conversation began. It stays the same for the whole conversation.',
      ),
  })
  .describe('What is recalled for this completion.');
export type ChatMemory = z.infer<typeof chatMemorySchema>;

/** Everything else is the upstream’s business: it is passed on as it came. */
export const chatCompletionSchema = z
  .looseObject({
    model: z.string().min(1).max(200),
    memory: chatMemorySchema.optional(),
  })
  .describe('A request of OpenAI’s `POST /v1/chat/completions`, with the field `memory`.');
export type ChatCompletionRequest = z.infer<typeof chatCompletionSchema>;

/** An answer of OpenAI’s API, as the upstream gave it. */
export const chatCompletionAnswerSchema = z
  .looseObject({})
  .describe('A `chat.completion` of OpenAI’s API; with `stream: true`, server-sent events of its chunks.');

export const chatModelsSchema = z
  .looseObject({ object: z.literal('list'), data: z.array(z.looseObject({ id: z.string() })) })
  .describe('The models of the upstreams, in OpenAI’s form.');

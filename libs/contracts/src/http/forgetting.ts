import { z } from 'zod';
import { memoryTypeSchema } from '../memory/vocabulary.js';
import { externalIdSchema, storableText, uuidSchema } from '../primitives.js';

/** In UTF-16 units. */
export const MAX_FORGET_TEXT_LENGTH = 500;

export const forgetMemoriesSchema = z.strictObject({
  user_id: externalIdSchema,
  text: storableText(1, MAX_FORGET_TEXT_LENGTH)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), { error: 'Name what is to be forgotten in words or numbers.' })
    .describe(
      'What to forget, as a person says it: a statement (“that I live in Lisbon”), a subject (“everything about my ex”) or an identifier (“all that belongs to order 4711”).',
    ),
  dry_run: z.boolean().default(true).describe('Only lists what would be forgotten. `false` forgets it, irrevocably.'),
  plan: z
    .string()
    .regex(/^[0-9a-f]{32}$/, { error: 'Send the `plan` of the dry run as it was returned.' })
    .optional()
    .describe('The `plan` of a dry run: if anything else would be forgotten by now, the request is refused with 409.'),
});
export type ForgetMemories = z.infer<typeof forgetMemoriesSchema>;

const textSchema = z
  .string()
  .optional()
  .describe('Only of a dry run, and only for keys with `query` or `admin`: nothing repeats what was forgotten.');

const forgottenMemorySchema = z.object({
  id: uuidSchema,
  category: z.string(),
  type: memoryTypeSchema,
  text: textSchema,
});

const forgottenTurnSchema = z.object({
  conversation_id: uuidSchema,
  message_id: uuidSchema,
  is_echo: z.boolean().describe('Somebody else, such as an assistant, repeats it.'),
  is_whole: z.boolean().describe('Nothing of the turn stays. Otherwise its other sentences do.'),
  text: textSchema,
});

/** Where a subject is still mentioned, and why it stays. */
const MENTION_REASONS = ['other_subject', 'unclear_subject'] as const;

const stillMentionedSchema = z.object({
  kind: z.enum(['memory', 'turn']),
  id: uuidSchema,
  why: z
    .enum(MENTION_REASONS)
    .describe(
      '`other_subject`: it says something else, or of somebody else. `unclear_subject`: whom it means is not certain.',
    ),
  text: textSchema,
});

export const memoriesForgottenSchema = z.object({
  dry_run: z.boolean(),
  kind: z.enum(['statement', 'subject', 'identifier']).describe('How the text was understood.'),
  plan: z.string().describe('Stands for all that is listed. Send it with `dry_run: false`, so that nothing else goes.'),
  counts: z
    .object({
      memories: z.number().int().describe('Facts, in whatever state, also quarantined, superseded and deleted ones.'),
      insights: z.number().int(),
      turns: z.number().int().describe('Messages that lose all or some of their sentences.'),
      echoes: z.number().int().describe('Of these, messages of somebody else that repeat it.'),
      summaries: z.number().int().describe('Sentences of summaries.'),
      relations: z.number().int().describe('Links between memories.'),
      app_memories: z.number().int(),
      context: z.number().int().describe('Values of the user context, and proposals for it.'),
    })
    .describe('How much there is to forget, or was forgotten.'),
  memories: z.array(forgottenMemorySchema),
  turns: z.array(forgottenTurnSchema),
  still_mentions: z
    .array(stillMentionedSchema)
    .describe('What mentions the same words and stays: at most 100, the newest first.'),
});
export type MemoriesForgotten = z.infer<typeof memoriesForgottenSchema>;

export const messageParams = z.object({
  id: uuidSchema,
  message_id: externalIdSchema.describe('The id of the message, its own or the one that Annals gave it.'),
});

export const messageForgottenSchema = z.object({
  conversation_id: uuidSchema,
  message_id: uuidSchema,
  memories_deleted: z
    .array(uuidSchema)
    .describe('Memories that rested on this message alone. They cannot be restored.'),
  memories_kept: z.array(uuidSchema).describe('Memories that also rest on other sources, and lost this one.'),
});
export type MessageForgotten = z.infer<typeof messageForgottenSchema>;

import { z } from 'zod';
import {
  externalIdSchema,
  pageOf,
  pageShape,
  pathIdSchema,
  queryFlagSchema,
  storableText,
  uuidSchema,
} from '../primitives.js';

export const appParams = z.strictObject({ app_id: externalIdSchema });
/** Of an app that is installed now: later requests name it in their path. */
export const putAppParams = z.strictObject({ app_id: pathIdSchema });
export const appMemoryParams = z.strictObject({ app_id: externalIdSchema, id: uuidSchema });

export const putAppSchema = z.strictObject({
  name: storableText(1, 200).describe('As prompts name it.'),
  shared: z
    .boolean()
    .optional()
    .describe(
      'One pool of memories for all users of the app: what it remembers of one is in the context of all. Not for a new app; without it, as it is.',
    ),
});
export type PutApp = z.infer<typeof putAppSchema>;

export const appSchema = z.object({
  app_id: z.string(),
  name: z.string(),
  shared: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AppBody = z.infer<typeof appSchema>;
export const appPageSchema = pageOf(appSchema);

const deletedCount = z
  .number()
  .int()
  .min(0)
  .describe('Memories that were in use. What they had replaced goes with them.');

export const uninstallAppQuerySchema = z.strictObject({
  purge_memories: queryFlagSchema.default(false).describe('Delete the memories of the app too; otherwise they stay.'),
});
export const appUninstalledSchema = z.object({ app_id: z.string(), deleted_count: deletedCount });
export type AppUninstalled = z.infer<typeof appUninstalledSchema>;

export const appMemorySchema = z.object({
  id: uuidSchema,
  app_id: z.string(),
  user_id: z.string().describe('Whose conversation it was made from.'),
  conversation_ids: z
    .array(uuidSchema)
    .describe('What it rests on: the conversation that it was made from, and those that were merged into it.'),
  content: z.string(),
  as_of_seq: z.number().int().describe('Last message of its conversation when it was made.'),
  provider: z.string().describe('`local` when rules made it, else the provider of the model.'),
  model: z.string().nullable(),
  created_at: z.string().describe('When it was made; a merge leaves it.'),
  updated_at: z.string(),
});
export type AppMemoryBody = z.infer<typeof appMemorySchema>;
export const appMemoryPageSchema = pageOf(appMemorySchema);

export const listAppMemoriesQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional().describe('Only memories that rest on a conversation of this user.'),
  ...pageShape,
});
export const purgeAppMemoriesQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional().describe('Only memories that rest on a conversation of this user.'),
});
export const appMemoriesDeletedSchema = z.object({ deleted_count: deletedCount });
export type AppMemoriesDeleted = z.infer<typeof appMemoriesDeletedSchema>;

/** Where an app puts its memories into a prompt (docs/reference/app-memories.md#three-places-for-the-context). */
export const APP_CONTEXT_PLACES = ['unanswered', 'review', 'selection'] as const;

export const appContextQuerySchema = z.strictObject({
  user_id: externalIdSchema.optional().describe('Required, unless the key is bound to a user.'),
  place: z
    .enum(APP_CONTEXT_PLACES)
    .default('unanswered')
    .describe('What the context is for: an answer, the review of a completed conversation, or the selection of one.'),
  conversation_id: uuidSchema
    .optional()
    .describe('The conversation that gets the context: it counts as one with memories, but for a selection.'),
});
export const appContextSchema = z.object({
  app_id: z.string(),
  user_id: z.string(),
  text: z.string().describe('To be put into a prompt as it is; empty without memories.'),
  memory_ids: z.array(uuidSchema).describe('The memories of the text, in its order.'),
  memories_injected: z.boolean().describe('Whether the conversation counts as one with memories from now on.'),
  as_of: z.string().nullable().describe('The last change of a memory in the text; null without memories.'),
});
export type AppContextBody = z.infer<typeof appContextSchema>;

import { z } from 'zod';
import { externalIdSchema, pageOf, pageShape, storableText, uuidSchema } from '../primitives.js';
import { conversationKindSchema } from './conversations.js';

export const listUsersQuerySchema = z.strictObject({
  prefix: storableText(1, 200)
    .optional()
    .describe(
      'Only users whose id begins with this, in the same case. Where ids with personal data are stored as pseudonyms, the beginning of such an id finds nothing.',
    ),
  ...pageShape,
});
export type ListUsersQuery = z.infer<typeof listUsersQuerySchema>;

export const userSchema = z.object({
  user_id: z.string(),
  created_at: z.string().describe('When the first data of the user arrived.'),
  memories: z.number().int().describe('Memories that a query can find.'),
  last_conversation_at: z.string().nullable().describe('When a conversation of the user last changed.'),
});
export type User = z.infer<typeof userSchema>;
export const userPageSchema = pageOf(userSchema);
export type UserPage = z.infer<typeof userPageSchema>;

export const listConversationsQuerySchema = z.strictObject({ user_id: externalIdSchema, ...pageShape });
export type ListConversationsQuery = z.infer<typeof listConversationsQuerySchema>;

export const conversationHeadSchema = z.object({
  id: uuidSchema,
  user_id: z.string(),
  thread_id: z.string(),
  agent_id: z.string().nullable(),
  run_id: z.string().nullable(),
  app_id: z.string().nullable(),
  kind: conversationKindSchema,
  state: z.enum(['open', 'ended']),
  message_count: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
});
export type ConversationHead = z.infer<typeof conversationHeadSchema>;
export const conversationPageSchema = pageOf(conversationHeadSchema);
export type ConversationPage = z.infer<typeof conversationPageSchema>;

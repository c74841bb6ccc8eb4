import { z } from 'zod';
import { pageOf, pageShape, storableText } from '../primitives.js';

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

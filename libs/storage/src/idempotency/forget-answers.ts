import type { Tx } from '../database/transaction.js';

/**
 * Deletes the stored answers to a user's requests in which one of these ids occurs: of a memory, a conversation, a
 * batch. A repetition of such a request is then run as a new one; answers to posts were ended before (endAnswers).
 * Returns how many were deleted.
 */
export function forgetAnswers(
  tx: Tx,
  { userId, ids }: { readonly userId: string; readonly ids: readonly string[] },
): Promise<number> {
  return tx.execute(
    // A day's answers of one user; ids are unique wherever they occur in an answer.
    `DELETE FROM idempotency_keys k
      WHERE k.user_id = $1 AND EXISTS (SELECT FROM unnest($2::text[]) i (id) WHERE position(i.id IN k.response::text) > 0)`,
    [userId, ids],
  );
}

import type { Tx } from '../database/transaction.js';

/** The status of an answer that was ended: the answer itself is deleted, while its request is still recognised. */
export const ENDED_STATUS = 410;

/**
 * Ends the stored answers of one route to a user's requests that contain `id`. A repetition is found to be ended until
 * the key is purged: run as a new request, it would store again what was deleted. Returns how many were ended.
 */
export function endAnswers(
  tx: Tx,
  { route, userId, id }: { readonly route: string; readonly userId: string; readonly id: string },
): Promise<number> {
  return tx.execute(
    // A day's answers of one user; services may not update this table.
    `WITH ended AS (
       DELETE FROM idempotency_keys k
        WHERE k.route = $1 AND k.user_id = $2 AND position($3 IN k.response::text) > 0
       RETURNING k.route, k.key, k.request_hmac, k.user_id, k.created_at)
     INSERT INTO idempotency_keys (route, key, request_hmac, status, response, user_id, created_at)
     SELECT route, key, request_hmac, $4, '{}', user_id, created_at FROM ended`,
    [route, userId, id, ENDED_STATUS],
  );
}

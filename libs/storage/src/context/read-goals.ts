import type { Tx } from '../database/transaction.js';

/** The goals in a user's context. */
export async function readGoals(tx: Tx, userId: string): Promise<string[]> {
  const [row] = await tx.query<{ goals: string[] | null }>(
    `SELECT (SELECT array_agg(g ->> 'value') FROM jsonb_array_elements(c.fields -> 'goals') g) AS goals
       FROM user_contexts c WHERE c.user_id = $1`,
    [userId],
  );
  return row?.goals ?? [];
}

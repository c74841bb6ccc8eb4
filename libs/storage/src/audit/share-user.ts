import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { assertSameKey } from './user-chain.js';

/**
 * Keeps the user from being erased until the transaction ends, and inserts the row when it is missing. Others may share it
 * and write the user's memories meanwhile; only an erasure waits, and is waited for. `now`: epoch ms.
 */
export async function shareUser(tx: Tx, userId: string, now: number): Promise<void> {
  // An erasure between two of these statements has them repeated.
  while (!(await shareExistingUser(tx, userId))) {
    const inserted = await tx.query(
      `INSERT INTO users (user_id, created_at, pseudonym) VALUES ($1, $2, $3)
       ON CONFLICT (tenant_id, user_id) DO NOTHING RETURNING true`,
      [userId, new Date(now), tx.pseudonymOf(userId)],
    );
    if (inserted.length > 0) return;
  }
}

/** The same when there is a row, else false: a user who has been erased meanwhile stays without one. */
export async function shareExistingUser(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx.query<Pick<UserEntity, 'pseudonym'>>(
    'SELECT pseudonym FROM users WHERE user_id = $1 FOR KEY SHARE',
    [userId],
  );
  if (!row) return false;
  assertSameKey(row.pseudonym, tx.pseudonymOf(userId));
  return true;
}

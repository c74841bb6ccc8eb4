import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';

/**
 * Epoch ms when something of a user was last forgotten for good; null when nothing was, and for
 * what is about nobody. `lock`: nothing of the user is
 * forgotten before the transaction ends.
 */
export async function readForgottenAt(
  tx: Tx,
  userId: string | null,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<number | null> {
  if (userId === null) return null;
  const [row] = await tx.query<Pick<UserEntity, 'forgotten_at'>>(
    `SELECT forgotten_at FROM users WHERE user_id = $1 ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [userId],
  );
  return row?.forgotten_at?.getTime() ?? null;
}

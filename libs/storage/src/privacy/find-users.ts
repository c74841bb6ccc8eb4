import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';

/** Those of the ids under which the tenant has a user. */
export async function findUsers(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<Pick<UserEntity, 'user_id'>>('SELECT user_id FROM users WHERE user_id = ANY ($1)', [ids]);
  return rows.map((row) => row.user_id);
}

import { GENESIS_HASH } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';

/** A user whose row this transaction has locked: other writers of this user wait. */
export interface LockedUser {
  /** The end of the audit chain, to which the next row is appended. */
  readonly chain: { readonly seq: number; readonly hash: string };
  /** Epoch ms of the last erasure. */
  readonly erasedAt: number | null;
  /** First free number of the lexical index. */
  readonly nextUnit: number;
}

/**
 * Locks the user's row and inserts it when it is missing (docs/reference/writes.md#lock-the-users-row-first). `now` in
 * epoch ms.
 */
export async function lockUser(tx: Tx, userId: string, now: number): Promise<LockedUser> {
  // DO UPDATE locks a conflicting row even though it changes nothing.
  const [row] = await tx.query<Pick<UserEntity, 'chain_seq' | 'chain_head' | 'erased_at' | 'next_unit'>>(
    `INSERT INTO users AS u (user_id, created_at) VALUES ($1, $2)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET created_at = u.created_at
     RETURNING u.chain_seq, u.chain_head, u.erased_at, u.next_unit`,
    [userId, new Date(now)],
  );
  return {
    chain: { seq: Number(row!.chain_seq), hash: row!.chain_head?.toString('hex') ?? GENESIS_HASH },
    erasedAt: row!.erased_at?.getTime() ?? null,
    nextUnit: row!.next_unit,
  };
}

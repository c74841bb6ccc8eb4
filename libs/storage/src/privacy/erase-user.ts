import type { ErasureReceipt } from '@annals/contracts';
import { signReceipt } from '@annals/domain';
import { appendHistory } from '../audit/user-chain.js';
import { findLastReceipt } from '../audit/receipts.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { WriteDependencies } from '../memories/write-memories.js';

export interface ErasureCommand {
  readonly userId: string;
  /** Actor for the audit history: `key:<id>`. */
  readonly actor: string;
  /** The installation's audit key, which signs the receipt. */
  readonly key: Uint8Array;
}

export interface EraseUserResult {
  readonly receipt: ErasureReceipt;
  /** There was nothing left to erase: the receipt is the last one. */
  readonly isRepeated: boolean;
}

/**
 * Erases everything about a user, all or nothing: rows of every table, waiting work, and the content of the audit
 * history, whose links stay (docs/reference/audit.md#content-leaves-the-chain). Costs stay too, without the user. Waits
 * for running writers of the user; later data belongs to a new user. Returns the signed receipt, and the last one again
 * when there was nothing left to erase; null when the tenant has no such user.
 */
export async function eraseUser(
  tx: Tx,
  { userId, actor, key }: ErasureCommand,
  dependencies: WriteDependencies,
): Promise<EraseUserResult | null> {
  const [erased] = await tx.query<{ counts: Record<string, number> | null }>('SELECT erase_user($1) AS counts', [
    userId,
  ]);
  const counts = erased!.counts;
  if (counts === null) return null;
  const [last, users] = await allOf([
    findLastReceipt(tx, userId),
    tx.query<Pick<UserEntity, 'chain_seq'>>('SELECT chain_seq FROM users WHERE user_id = $1', [userId]),
  ]);
  const isEmpty = Object.values(counts).every((count) => count === 0);
  const erasedAt = new Date(dependencies.clock.now());
  const isRepeated = last !== null && isEmpty && last.chain.seq === Number(users[0]!.chain_seq);
  const receipt = isRepeated
    ? last
    : await writeReceipt(tx, { userId, actor, key }, { counts, erasedAt }, dependencies);
  // Also when nothing was left, so that events from before this time are treated as older than the erasure. Never moved
  // back by a slow clock: acceptance times since then and receipts depend on it.
  tx.atCommit(
    tx.execute('UPDATE users SET erased_at = greatest(erased_at, $2) WHERE user_id = $1', [userId, erasedAt]),
  );
  return { receipt, isRepeated };
}

async function writeReceipt(
  tx: Tx,
  { userId, actor, key }: ErasureCommand,
  { counts, erasedAt }: { readonly counts: Readonly<Record<string, number>>; readonly erasedAt: Date },
  dependencies: WriteDependencies,
): Promise<ErasureReceipt> {
  const id = dependencies.ids.next();
  const meta = { receipt_id: id, counts };
  const draft = { memoryId: null, event: 'ERASE', oldRef: null, newRef: null, content: '', meta } as const;
  const [link] = await appendHistory(tx, { userId, actor, rows: [draft] }, dependencies);
  const chain = { seq: link!.seq, head: link!.hash };
  const { tenantId } = tx;
  const signature = signReceipt(key, { id, tenantId, userId, erasedAt: erasedAt.toISOString(), counts, chain });
  tx.atCommit(
    tx.execute(
      `INSERT INTO erasure_receipts (id, user_id, erased_at, counts, chain_seq, chain_head, signature)
       VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), decode($7, 'hex'))`,
      [id, userId, erasedAt, JSON.stringify(counts), chain.seq, chain.head, signature],
    ),
  );
  return { id, tenant_id: tenantId, user_id: userId, erased_at: erasedAt.toISOString(), counts, chain, signature };
}

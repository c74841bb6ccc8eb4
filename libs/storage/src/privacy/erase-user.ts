import type { ErasureReceipt } from '@annals/contracts';
import { signReceipt, verifyReceiptSignature } from '@annals/domain';
import { lockOwnedAppMemories, remakeAppMemories } from '../app-memories/withdraw-app-memories.js';
import { findLastReceipt, toReceiptFields } from '../audit/receipts.js';
import { resealHistory } from '../audit/reseal-history.js';
import { appendHistory, lockRecordedPseudonym } from '../audit/user-chain.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { findVaultRemoval, nameReceiptOfRemoval } from '../vault/vault-subject.js';
import type { WriteDependencies } from '../memories/write-memories.js';

export interface ErasureCommand {
  readonly userId: string;
  /** Actor for the audit history: `key:<id>` or `person`. */
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
 * Erases everything about a user, all or nothing: rows of every table, waiting work, API keys that are bound to them,
 * and the content of the audit history. Its links stay, with a pseudonym in place of the user's id, as do the user's row
 * and receipts (docs/reference/audit.md#pseudonyms-of-users); links that hash the id are rewritten. Costs stay too,
 * without the user. Waits for running writers of the user; later data belongs to a new user. A history that was written
 * with another secret key stays under the pseudonym that it hashes, and the receipt names that. Returns the signed
 * receipt, and the last one again when there was nothing left to erase; null when the tenant has no such user.
 */
export async function eraseUser(
  tx: Tx,
  { userId, actor, key }: ErasureCommand,
  dependencies: WriteDependencies,
): Promise<EraseUserResult | null> {
  tx.allowBulk();
  const pseudonym = await lockRecordedPseudonym(tx, userId);
  const erasedAt = new Date(dependencies.clock.now());
  const { others } = await lockOwnedAppMemories(tx, { userId });
  const [erased] = await tx.query<{ counts: Record<string, number> | null }>(
    'SELECT erase_and_seal($1, $2, $3) AS counts',
    [userId, pseudonym, erasedAt],
  );
  const counts = erased!.counts;
  if (counts === null) return null;
  await remakeAppMemories(tx, others, { now: erasedAt.getTime(), ids: dependencies.ids, trace: null });
  const resealed = await resealHistory(tx, { pseudonym, key });
  const [last, users] = await allOf([
    findLastReceipt(tx, pseudonym),
    tx.query<Pick<UserEntity, 'chain_seq'>>('SELECT chain_seq FROM users WHERE user_id = $1', [pseudonym]),
  ]);
  const isEmpty = Object.values(counts).every((count) => count === 0);
  const isRepeated =
    last !== null &&
    isEmpty &&
    last.chain.seq === Number(users[0]!.chain_seq) &&
    // Signed with another key: who erases again with this one gets a receipt that they can verify.
    verifyReceiptSignature(key, toReceiptFields(last, pseudonym), last.signature);
  const receipt = isRepeated
    ? last
    : await writeReceipt(tx, { actor, key }, { pseudonym, counts, erasedAt, resealed }, dependencies);
  // Also when nothing was left, so that events from before this time are treated as older than the erasure. Never moved
  // back by a slow clock: acceptance times since then and receipts depend on it.
  tx.atCommit(
    tx.execute('UPDATE users SET erased_at = greatest(erased_at, $2) WHERE user_id = $1', [pseudonym, erasedAt]),
  );
  const vault = await findVaultRemoval(tx, { pseudonym, receiptId: receipt.id });
  if (isRepeated && vault !== null) await nameReceiptOfRemoval(tx, { pseudonym, receiptId: receipt.id });
  return { receipt: { ...handOut(receipt, userId, tx.pseudonymOf(userId), key), vault }, isRepeated };
}

/**
 * The stored receipt with the user's id in place of the pseudonym that their history is under. `own`: their pseudonym
 * under the key of this process. If that is another one, the receipt names both and is signed for both, since the user
 * could not be told from the former.
 */
function handOut(stored: ErasureReceipt, userId: string, own: string, key: Uint8Array): ErasureReceipt {
  if (stored.user_id === own) return { ...stored, user_id: userId };
  const receipt = { ...stored, user_id: userId, history_pseudonym: stored.user_id };
  return { ...receipt, signature: signReceipt(key, toReceiptFields(receipt, own)) };
}

interface Erased {
  readonly pseudonym: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly erasedAt: Date;
  readonly resealed: ErasureReceipt['resealed'];
}

async function writeReceipt(
  tx: Tx,
  { actor, key }: Pick<ErasureCommand, 'actor' | 'key'>,
  { pseudonym, counts, erasedAt, resealed }: Erased,
  dependencies: WriteDependencies,
): Promise<ErasureReceipt> {
  const id = dependencies.ids.next();
  const meta = { receipt_id: id, counts };
  const draft = { memoryId: null, event: 'ERASE', oldRef: null, newRef: null, content: '', meta } as const;
  const [link] = await appendHistory(tx, { userId: pseudonym, actor, rows: [draft] }, dependencies);
  const unsigned = {
    id,
    tenant_id: tx.tenantId,
    user_id: pseudonym,
    erased_at: erasedAt.toISOString(),
    counts,
    chain: { seq: link!.seq, head: link!.hash },
    resealed,
    history_pseudonym: null,
    signature: '',
    vault: null,
  };
  const receipt = { ...unsigned, signature: signReceipt(key, toReceiptFields(unsigned, pseudonym)) };
  tx.atCommit(
    tx.execute(
      `INSERT INTO erasure_receipts (id, user_id, erased_at, counts, chain_seq, chain_head, resealed, signature)
       VALUES ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, decode($8, 'hex'))`,
      [
        id,
        pseudonym,
        erasedAt,
        JSON.stringify(counts),
        receipt.chain.seq,
        receipt.chain.head,
        resealed && JSON.stringify(resealed),
        receipt.signature,
      ],
    ),
  );
  return receipt;
}

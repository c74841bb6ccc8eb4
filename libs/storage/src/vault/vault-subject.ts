import type { VaultRemovalReceipt } from '@annals/contracts';
import { lockExistingUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import type { VaultErasureEntity } from '../entities/vault.entity.js';

export interface VaultChain {
  readonly seq: number;
  readonly head: string;
}

/** Whose vault is written, as far as it was committed when this was read. */
export interface VaultUser {
  readonly type: 'user';
  readonly userId: string;
  /** The last link of the audit chain: its number, and its hash in hex. */
  readonly chain: VaultChain;
  /** When something of the user was last forgotten; epoch ms. */
  readonly forgottenAt: number | null;
}

/** The folder of a user who was erased. */
export interface VaultErasure {
  readonly type: 'erased';
  readonly receiptId: string | null;
  /** Epoch ms. */
  readonly requestedAt: number;
  readonly isRemoved: boolean;
}

/** What work of the vault is about; null: neither a user nor somebody whose folder is to be removed. */
export type VaultSubject = VaultUser | VaultErasure | null;

type SubjectRow = Pick<UserEntity, 'user_id' | 'chain_seq' | 'chain_head' | 'forgotten_at'> &
  Pick<VaultErasureEntity, 'receipt_id' | 'requested_at' | 'removed_at'>;

export async function loadVaultSubject(tx: Tx, subjectId: string): Promise<VaultSubject> {
  const [row] = await tx.query<SubjectRow & { is_erased: boolean }>(
    `SELECT false AS is_erased, user_id, chain_seq, chain_head, forgotten_at, NULL::uuid AS receipt_id,
            NULL::timestamptz AS requested_at, NULL::timestamptz AS removed_at
       FROM users WHERE subject_id = $1 AND pseudonym IS DISTINCT FROM user_id
     UNION ALL
     SELECT true, NULL, NULL, NULL, NULL, receipt_id, requested_at, removed_at FROM vault_erasures WHERE subject_id = $1
     LIMIT 1`,
    [subjectId],
  );
  if (!row) return null;
  if (row.is_erased) {
    const { receipt_id: receiptId, requested_at: requestedAt, removed_at: removedAt } = row;
    return { type: 'erased', receiptId, requestedAt: requestedAt.getTime(), isRemoved: removedAt !== null };
  }
  const chain = { seq: Number(row.chain_seq), head: row.chain_head?.toString('hex') ?? '' };
  return { type: 'user', userId: row.user_id, chain, forgottenAt: row.forgotten_at?.getTime() ?? null };
}

/** Locks a user before what people wrote into files is compared with their memories. False: they were erased. */
export async function lockVaultUser(tx: Tx, userId: string): Promise<boolean> {
  return (await lockExistingUser(tx, userId)).user !== null;
}

/** What was removed with a folder. `signature`: hex. */
export interface VaultRemoval {
  readonly subjectId: string;
  /** Epoch ms. */
  readonly removedAt: number;
  readonly files: number;
  readonly commits: number;
  readonly signature: string;
}

/** Records that the folder of an erased user is gone. What was recorded first stays. */
export async function recordVaultRemoval(tx: Tx, removal: VaultRemoval): Promise<void> {
  const { subjectId, removedAt, files, commits, signature } = removal;
  await tx.execute(
    `UPDATE vault_erasures SET removed_at = $2, files = $3, commits = $4, signature = decode($5, 'hex')
      WHERE subject_id = $1 AND removed_at IS NULL`,
    [subjectId, new Date(removedAt), files, commits, signature],
  );
}

/** The erasure was a repetition, whose receipt is the one that there was. */
export async function nameReceiptOfRemoval(
  tx: Tx,
  { pseudonym, receiptId }: { readonly pseudonym: string; readonly receiptId: string },
): Promise<void> {
  await tx.execute('UPDATE vault_erasures SET receipt_id = $2 WHERE pseudonym = $1 AND receipt_id IS NULL', [
    pseudonym,
    receiptId,
  ]);
}

/**
 * What became of the files of a user who was erased, of what is not removed yet first; null: no vault was written. An erasure that was
 * repeated because files had come back belongs to the receipt of the first.
 */
export async function findVaultRemoval(
  tx: Tx,
  { pseudonym, receiptId }: { readonly pseudonym: string; readonly receiptId: string },
): Promise<VaultRemovalReceipt | null> {
  const [row] = await tx.query<VaultErasureEntity>(
    `SELECT * FROM vault_erasures WHERE pseudonym = $1 AND (receipt_id IS NULL OR receipt_id = $2)
      ORDER BY removed_at IS NULL DESC, requested_at DESC, subject_id LIMIT 1`,
    [pseudonym, receiptId],
  );
  return row ? toRemovalReceipt(row) : null;
}

/** The same of receipts, by their ids: of what was removed last. */
export async function readVaultRemovals(
  tx: Tx,
  receiptIds: readonly string[],
): Promise<Map<string, VaultRemovalReceipt>> {
  const rows = await tx.query<VaultErasureEntity>(
    'SELECT * FROM vault_erasures WHERE receipt_id = ANY ($1) ORDER BY requested_at',
    [receiptIds],
  );
  return new Map(rows.map((row) => [row.receipt_id!, toRemovalReceipt(row)]));
}

function toRemovalReceipt(row: VaultErasureEntity): VaultRemovalReceipt {
  return {
    state: row.removed_at === null ? 'pending' : 'removed',
    requested_at: row.requested_at.toISOString(),
    removed_at: row.removed_at?.toISOString() ?? null,
    files: row.files,
    commits: row.commits,
    signature: row.signature?.toString('hex') ?? null,
  };
}

import type { ErasureReceipt } from '@annals/contracts';
import {
  type ReceiptFields,
  replacedHashHmac,
  userPseudonym,
  verifyReceiptSignature,
  verifyVaultRemoval,
} from '@annals/domain';
import { MoreThan } from 'typeorm';
import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import { ErasureReceiptEntity } from '../entities/history.entity.js';
import { findVaultRemoval, readVaultRemovals } from '../vault/vault-subject.js';
import type { AuditFault, AuditFindingHandler } from './audit-finding.js';

const PAGE_ROWS = 500;

function toReceipt(row: ErasureReceiptEntity): ErasureReceipt {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    erased_at: row.erased_at.toISOString(),
    counts: row.counts,
    chain: { seq: Number(row.chain_seq), head: row.chain_head.toString('hex') },
    resealed: row.resealed,
    history_pseudonym: null,
    signature: row.signature.toString('hex'),
    vault: null,
  };
}

/** What a receipt is signed over; `pseudonym`: of its user under the key that signs. */
export function toReceiptFields(receipt: ErasureReceipt, pseudonym: string): ReceiptFields & { userId: string } {
  const { id, tenant_id: tenantId, user_id: userId, erased_at: erasedAt, counts, chain, resealed } = receipt;
  return {
    id,
    tenantId,
    userId,
    pseudonym,
    erasedAt,
    counts,
    chain,
    resealed: resealed && { seq: resealed.seq, headHmac: resealed.head_hmac },
    historyPseudonym: receipt.history_pseudonym,
  };
}

/** The last receipt of an erased user, or null. */
export async function findLastReceipt(tx: Tx, pseudonym: string): Promise<ErasureReceipt | null> {
  const row = await tx
    .repository(ErasureReceiptEntity)
    .findOne({ where: { user_id: pseudonym }, order: { chain_seq: 'DESC' } });
  return row && toReceipt(row);
}

/**
 * The receipt with this id, with what became of the user's files by now; null: there is none. Its user is a pseudonym
 * (docs/reference/audit.md#signed-heads-and-receipts).
 */
export async function findReceipt(tx: Tx, id: string): Promise<ErasureReceipt | null> {
  const row = await tx.repository(ErasureReceiptEntity).findOneBy({ id });
  if (!row) return null;
  return { ...toReceipt(row), vault: await findVaultRemoval(tx, { pseudonym: row.user_id, receiptId: id }) };
}

/** Checks each receipt of a tenant against its signature, by any of `keys`, and its link of the chain. Returns the number of receipts. */
export async function verifyReceipts(
  database: Pick<Database, 'readTenant' | 'chainKey'>,
  tenantId: string,
  keys: readonly Uint8Array[],
  report: AuditFindingHandler,
): Promise<number> {
  let after = NIL_UUID;
  let count = 0;
  for (;;) {
    const [rows, removals] = await database.readTenant(tenantId, async (tx) => {
      const page = await tx
        .repository(ErasureReceiptEntity)
        .find({ where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: PAGE_ROWS });
      const ids = page.map(({ id }) => id);
      return [page, await readVaultRemovals(tx, ids)] as const;
    });
    for (const row of rows) {
      const receipt = { ...toReceipt(row), vault: removals.get(row.id) ?? null };
      for (const fault of await verifyReceipt(database, keys, receipt)) {
        report({ fault, tenantId, userId: receipt.user_id, seq: receipt.chain.seq });
      }
    }
    count += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_ROWS) return count;
  }
}

/** Faults of a receipt, which may come from outside. Empty when it proves what it states. */
export async function verifyReceipt(
  database: Pick<Database, 'readTenant' | 'chainKey'>,
  keys: readonly Uint8Array[],
  receipt: ErasureReceipt,
): Promise<AuditFault[]> {
  const { tenant_id: tenantId, user_id: userId, erased_at: erasedAt, chain, history_pseudonym: recorded } = receipt;
  const { chainKey } = database;
  const pseudonym = userPseudonym(chainKey, tenantId, userId);
  const fields = toReceiptFields(receipt, pseudonym);
  if (!keys.some((key) => verifyReceiptSignature(key, fields, receipt.signature))) return ['forged_receipt'];
  if (!isRemovalSigned(receipt, keys)) return ['forged_removal'];
  const [found] = await database.readTenant(tenantId, (tx) =>
    tx.query<{ is_linked: boolean; is_erased: boolean }>(
      // A receipt that was handed out before its user's history was rewritten names the hash that was replaced.
      `SELECT EXISTS (SELECT FROM history WHERE user_id = ANY ($1) AND event = 'ERASE'
                         AND (seq = $2 AND hash = decode($3, 'hex') OR replaced_hash = decode($5, 'hex'))) AS is_linked,
              EXISTS (SELECT FROM users WHERE user_id = ANY ($1) AND erased_at >= $4) AS is_erased`,
      [[userId, recorded ?? pseudonym], chain.seq, chain.head, erasedAt, replacedHashHmac(chainKey, chain.head)],
    ),
  );
  return [
    ...(found!.is_linked ? [] : (['stray_receipt'] as const)),
    ...(found!.is_erased ? [] : (['not_erased'] as const)),
  ];
}

/** Files that are said to be removed are, by the signature of this installation. */
function isRemovalSigned({ id, tenant_id: tenantId, vault }: ErasureReceipt, keys: readonly Uint8Array[]): boolean {
  if (vault?.state !== 'removed') return true;
  const { requested_at: requestedAt, removed_at: removedAt, files, commits, signature } = vault;
  if (removedAt === null || files === null || commits === null || signature === null) return false;
  const fields = { receiptId: id, tenantId, requestedAt, removedAt, files, commits };
  return keys.some((key) => verifyVaultRemoval(key, fields, signature));
}

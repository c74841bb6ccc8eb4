import type { ChainEnd, HistoryDraft, HistoryLink } from '@annals/domain';
import type { Nullable, Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { HISTORY_COLUMNS, type HistoryColumnsRow, toChainedFields } from './history-columns.js';

/** Position of a scan through a tenant's history. */
export interface HistoryPosition {
  readonly userId: string;
  readonly seq: number;
}

/** A history row with the related columns of its user's row, memory and receipts, read at the same moment. */
export interface StoredHistoryLink extends HistoryLink {
  readonly userId: string;
  readonly memoryId: string | null;
  readonly event: HistoryDraft['event'];
  /** As recorded in the user's row; null when that row is missing or from an earlier release. */
  readonly pseudonym: string | null;
  /** The end of the chain as recorded in the user's row; null when that row is missing. */
  readonly recordedEnd: ChainEnd | null;
  /** For a user who returned after an erasure: the end of the chain under the pseudonym. */
  readonly sealedEnd: ChainEnd | null;
  /** For ERASE: whether there is a receipt for it. */
  readonly hasReceipt: boolean;
  /** For the row that records a new memory: whether that is gone, although no purge or erasure is recorded. */
  readonly isMemoryMissing: boolean;
}

type HistoryLinkRow = HistoryColumnsRow &
  Nullable<Pick<UserEntity, 'chain_seq' | 'chain_head'>> & {
    pseudonym: string | null;
    is_known: boolean;
    is_ended: boolean;
    has_receipt: boolean;
    sealed_seq: string | null;
    sealed_head: Buffer | null;
    is_memory_missing: boolean;
  };

/**
 * The next rows of a tenant's history, user by user, each in order. One statement, so that each row is read in the same
 * snapshot as its head, memory, purge and erasure, even with concurrent writers.
 */
export async function readHistoryLinks(
  tx: Tx,
  after: HistoryPosition | null,
  limit: number,
): Promise<StoredHistoryLink[]> {
  const rows = await tx.query<HistoryLinkRow>(
    `WITH page AS MATERIALIZED (
       SELECT *, CASE event WHEN 'CONSENT' THEN coalesce(new_ref, id) ELSE memory_id END AS subject_id
         FROM history WHERE (user_id, seq) > ($1, $2) ORDER BY user_id, seq LIMIT $3
     ), purged AS (
       SELECT p.memory_id, max(p.seq) AS seq FROM history p
        WHERE p.memory_id IN (SELECT subject_id FROM page) AND p.event = 'PURGE' GROUP BY p.memory_id
     ), erased AS (
       SELECT r.user_id, max(r.chain_seq) AS seq FROM erasure_receipts r
        WHERE r.user_id IN (SELECT user_id FROM page) GROUP BY r.user_id
     )
     SELECT ${HISTORY_COLUMNS}, u.user_id IS NOT NULL AS is_known, u.pseudonym, u.chain_seq, u.chain_head,
            coalesce(p.seq < e.seq, false) OR coalesce(p.seq <= d.seq, false) AS is_ended,
            EXISTS (SELECT FROM erasure_receipts r WHERE r.user_id = p.user_id AND r.chain_seq = p.seq) AS has_receipt,
            s.chain_seq AS sealed_seq, s.chain_head AS sealed_head,
            p.event IN ('ADD', 'QUARANTINE') AND p.memory_id IS NOT NULL
              AND NOT EXISTS (SELECT FROM memories m WHERE m.id = p.memory_id AND m.user_id = p.user_id)
              AND NOT (coalesce(p.seq < e.seq, false) OR coalesce(p.seq <= d.seq, false)) AS is_memory_missing
       FROM page p
       LEFT JOIN users u ON u.user_id = p.user_id
       LEFT JOIN users s ON s.user_id = u.pseudonym AND s.user_id <> u.user_id
       LEFT JOIN erased e ON e.user_id = p.user_id
       LEFT JOIN purged d ON d.memory_id = p.subject_id
      ORDER BY p.user_id, p.seq`,
    [after?.userId ?? '', after?.seq ?? 0, limit],
  );
  return rows.map(toLink);
}

function toLink(row: HistoryLinkRow): StoredHistoryLink {
  return {
    userId: row.user_id,
    memoryId: row.memory_id,
    event: row.event,
    seq: Number(row.seq),
    version: row.version,
    prevHash: row.prev_hash?.toString('hex') ?? '',
    hash: row.hash.toString('hex'),
    fields: toChainedFields(row, row.pseudonym ?? '', row.version),
    contentHmac: row.content_hmac.toString('hex'),
    content: row.content,
    salt: row.salt,
    isContentErased: row.is_ended,
    pseudonym: row.pseudonym,
    recordedEnd: row.is_known ? toEnd(row.chain_seq, row.chain_head) : null,
    sealedEnd: row.sealed_seq === null ? null : toEnd(row.sealed_seq, row.sealed_head),
    hasReceipt: row.has_receipt,
    isMemoryMissing: row.is_memory_missing,
  };
}

function toEnd(seq: string | null, head: Buffer | null): ChainEnd {
  return { seq: Number(seq), head: head?.toString('hex') ?? '' };
}

import { chainedFields, type HistoryDraft, type HistoryLink } from '@annals/domain';
import type { Nullable, Tx } from '../database/transaction.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { UserEntity } from '../entities/user.entity.js';

/** Position of a scan through a tenant's history. */
export interface HistoryPosition {
  readonly userId: string;
  readonly seq: number;
}

/** A history row with the related columns of its user's row and receipts, read at the same moment. */
export interface StoredHistoryLink extends HistoryLink {
  readonly userId: string;
  readonly event: HistoryDraft['event'];
  /** The end of the chain as recorded in the user's row; null when that row is missing. */
  readonly recordedEnd: { readonly seq: number; readonly head: string } | null;
  /** For ERASE: whether there is a receipt for it. */
  readonly hasReceipt: boolean;
}

type HistoryLinkRow = Omit<HistoryEntity, 'tenant_id' | 'ts'> &
  Nullable<Pick<UserEntity, 'chain_seq' | 'chain_head'>> & {
    at: string;
    is_known: boolean;
    is_ended: boolean;
    has_receipt: boolean;
  };

/**
 * The next rows of a tenant's history, user by user, each in order. One statement, so that each row is read in the same
 * snapshot as its head, purge and erasure, even with concurrent writers.
 */
export async function readHistoryLinks(
  tx: Tx,
  after: HistoryPosition | null,
  limit: number,
): Promise<StoredHistoryLink[]> {
  const rows = await tx.query<HistoryLinkRow>(
    `WITH page AS MATERIALIZED (
       SELECT *, CASE event WHEN 'CONSENT' THEN new_ref ELSE memory_id END AS subject_id
         FROM history WHERE (user_id, seq) > ($1, $2) ORDER BY user_id, seq LIMIT $3
     ), purged AS (
       SELECT p.memory_id, max(p.seq) AS seq FROM history p
        WHERE p.memory_id IN (SELECT subject_id FROM page) AND p.event = 'PURGE' GROUP BY p.memory_id
     ), erased AS (
       SELECT r.user_id, max(r.chain_seq) AS seq FROM erasure_receipts r
        WHERE r.user_id IN (SELECT user_id FROM page) GROUP BY r.user_id
     )
     SELECT p.user_id, p.seq, p.id, p.memory_id, p.event, p.old_ref, p.new_ref, p.actor, p.batch_id, p.meta, p.content,
            p.salt, p.content_hmac, p.prev_hash, p.hash,
            to_char(p.ts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at,
            u.user_id IS NOT NULL AS is_known, u.chain_seq, u.chain_head,
            coalesce(p.seq < e.seq, false) OR coalesce(p.seq <= d.seq, false) AS is_ended,
            EXISTS (SELECT FROM erasure_receipts r WHERE r.user_id = p.user_id AND r.chain_seq = p.seq) AS has_receipt
       FROM page p
       LEFT JOIN users u ON u.user_id = p.user_id
       LEFT JOIN erased e ON e.user_id = p.user_id
       LEFT JOIN purged d ON d.memory_id = p.subject_id
      ORDER BY p.user_id, p.seq`,
    [after?.userId ?? '', after?.seq ?? 0, limit],
  );
  return rows.map(toLink);
}

function toLink(row: HistoryLinkRow): StoredHistoryLink {
  const seq = Number(row.seq);
  const hmac = row.content_hmac.toString('hex');
  return {
    userId: row.user_id,
    event: row.event,
    seq,
    prevHash: row.prev_hash?.toString('hex') ?? '',
    hash: row.hash.toString('hex'),
    fields: chainedFields(
      {
        id: row.id,
        seq,
        memoryId: row.memory_id,
        event: row.event,
        oldRef: row.old_ref,
        newRef: row.new_ref,
        content: '',
        meta: row.meta,
        contentHmac: hmac,
      },
      { userId: row.user_id, actor: row.actor!, batchId: row.batch_id, ts: toInstant(row.at) },
    ),
    contentHmac: hmac,
    content: row.content,
    salt: row.salt,
    isContentErased: row.is_ended,
    recordedEnd: row.is_known ? { seq: Number(row.chain_seq), head: row.chain_head?.toString('hex') ?? '' } : null,
    hasReceipt: row.has_receipt,
  };
}

/** Microseconds, which no writer produces, are kept, so that they change the hash. */
function toInstant(microseconds: string): string {
  return microseconds.endsWith('000') ? `${microseconds.slice(0, -3)}Z` : `${microseconds}Z`;
}

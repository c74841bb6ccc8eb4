import { type ChainVersion, contentHmac, type HistoryDraft, memoryStateHmac } from '@annals/domain';
import type { Database } from '../database/database.js';
import { NIL_UUID } from '../database/cursor.js';
import type { Nullable, Tx } from '../database/transaction.js';
import { IS_MEMORY_CHANGE_SQL } from '../relations/delete-links.js';
import { MEMORY_COLUMNS, type MemoryRow, toStoredMemory } from '../memories/memory-statements.js';
import type { AuditFault } from './audit-finding.js';
import type { HistoryScope } from './verify-history.js';

const PAGE_ROWS = 500;

/**
 * Compares every memory of a tenant with the last row of its history that says what it contains and how it stands.
 * Reads page by page, each in one snapshot with its history: constant memory, no writer is blocked, and a memory that is
 * being written is never reported. Returns the number of memories.
 */
export async function verifyMemories(
  database: Pick<Database, 'readTenant'>,
  { tenantId, report, chainKey, signal }: HistoryScope,
): Promise<number> {
  let after = NIL_UUID;
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows: RecordedMemory[] = await database.readTenant(tenantId, (tx) => readRecordedMemories(tx, after));
    for (const row of rows) {
      const fault = findFault(row, chainKey);
      if (fault) report({ fault, tenantId, userId: row.user_id, seq: toNumber(row.last_seq), memoryId: row.id });
    }
    count += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_ROWS) return count;
  }
}

/** A memory with two rows of its history: the last one, and the last one that records its state. */
type RecordedMemory = MemoryRow & { user_id: string } & Nullable<{
    last_seq: string;
    event: HistoryDraft['event'];
    version: ChainVersion;
    salt: Buffer;
    content_hmac: Buffer;
    state_salt: Buffer;
    state_hmac: Buffer;
  }>;

function readRecordedMemories(tx: Tx, after: string): Promise<RecordedMemory[]> {
  // Rows of an earlier release record no state: behind one of them, what was recorded before it is out of date.
  return tx.query<RecordedMemory>(
    `WITH page AS MATERIALIZED (
       SELECT m.user_id, ${MEMORY_COLUMNS} FROM memories m WHERE m.id > $1 ORDER BY m.id LIMIT $2
     ), recorded AS (
       SELECT p.id, max(h.seq) FILTER (WHERE ${IS_MEMORY_CHANGE_SQL('h')}) AS last_seq,
              max(h.seq) FILTER (WHERE h.state_hmac IS NOT NULL) AS state_seq,
              max(h.seq) FILTER (WHERE h.version = 1 AND h.event <> 'LINK') AS stateless_seq
         FROM page p JOIN history h ON h.memory_id = p.id AND h.user_id = p.user_id
        GROUP BY p.id
     )
     SELECT p.*, r.last_seq, l.event, l.version, l.salt, l.content_hmac, s.salt AS state_salt, s.state_hmac
       FROM page p
       LEFT JOIN recorded r ON r.id = p.id
       LEFT JOIN history l ON l.user_id = p.user_id AND l.seq = r.last_seq
       LEFT JOIN history s ON s.user_id = p.user_id AND s.seq = r.state_seq
                          AND r.state_seq > coalesce(r.stateless_seq, 0)
      ORDER BY p.id`,
    [after, PAGE_ROWS],
  );
}

function findFault(row: RecordedMemory, chainKey: Uint8Array | null): AuditFault | null {
  if (row.last_seq === null) return 'memory_inserted';
  // Without its salt nothing can be compared; that the salt is missing is a fault of the row of the history.
  if (row.salt && contentHmac(row.salt, row.content) !== row.content_hmac!.toString('hex')) {
    return 'memory_content_changed';
  }
  if (!hasExpectedState(row)) return 'memory_state_changed';
  if (chainKey === null || row.state_hmac === null || row.state_salt === null) return null;
  const hmac = memoryStateHmac(chainKey, row.state_salt, toStoredMemory(row));
  return hmac === row.state_hmac.toString('hex') ? null : 'memory_state_changed';
}

/** States that an event leaves a memory in; other events say nothing about it. */
const STATES_AFTER: Partial<Record<HistoryDraft['event'], readonly MemoryRow['state'][]>> = {
  ADD: ['active'],
  QUARANTINE: ['quarantined'],
  DELETE: ['soft_deleted'],
  TTL: ['soft_deleted'],
  EVICT: ['soft_deleted'],
  RESTORE: ['active', 'quarantined'],
};

/** All that can be known of rows of earlier releases, which record no state. */
function hasExpectedState({ event, state }: RecordedMemory): boolean {
  return event === null || (STATES_AFTER[event]?.includes(state) ?? true);
}

function toNumber(seq: string | null): number | null {
  return seq === null ? null : Number(seq);
}

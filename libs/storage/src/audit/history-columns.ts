import { chainedFields, type ChainedFields, type ChainVersion } from '@annals/domain';
import type { HistoryEntity } from '../entities/history.entity.js';

/** Columns of `history p` of which a link's hash is computed. `at`: its time in UTC with microseconds. */
export const HISTORY_COLUMNS = `p.user_id, p.seq, p.version, p.id, p.memory_id, p.event, p.old_ref, p.new_ref, p.actor,
  p.batch_id, p.meta, p.content, p.salt, p.content_hmac, p.state_hmac, p.prev_hash, p.hash,
  to_char(p.ts AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at`;

export type HistoryColumnsRow = Omit<HistoryEntity, 'tenant_id' | 'ts' | 'replaced_hash' | 'version'> & {
  version: ChainVersion;
  at: string;
};

/** What the hash of a stored row covers. */
export function toChainedFields(row: HistoryColumnsRow, pseudonym: string, version: ChainVersion): ChainedFields {
  return chainedFields(
    {
      id: row.id,
      seq: Number(row.seq),
      memoryId: row.memory_id,
      event: row.event,
      oldRef: row.old_ref,
      newRef: row.new_ref,
      content: '',
      meta: row.meta,
      contentHmac: row.content_hmac.toString('hex'),
      stateHmac: row.state_hmac?.toString('hex') ?? null,
    },
    { userId: row.user_id, pseudonym, actor: row.actor!, batchId: row.batch_id, ts: toInstant(row.at) },
    version,
  );
}

/** Microseconds, which no writer produces, are kept, so that they change the hash. */
function toInstant(microseconds: string): string {
  return microseconds.endsWith('000') ? `${microseconds.slice(0, -3)}Z` : `${microseconds}Z`;
}

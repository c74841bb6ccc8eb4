import type { Tx } from '../database/transaction.js';
import type { MemorySourceEntity } from '../entities/memory.entity.js';

/** UTC days that accesses are counted for. */
export const ACCESS_DAYS = 30;

/** SQL of the number of a UTC day since 1970, as text. */
const dayOfSql = (at: string) => `floor(extract(epoch FROM ${at}) / 86400)::integer::text`;

/** SQL of the number of accesses in `days` since a day, whose number is the SQL `since`. */
export const accessesSinceSql = (days: string, since: string) =>
  `coalesce((SELECT sum(d.value::integer) FROM jsonb_each_text(${days}) d WHERE d.key::integer > ${since}), 0)::integer`;

/** A memory that was part of answers. */
export interface MemoryAccess {
  readonly memoryId: string;
  /** Time of the last answer, in epoch ms. */
  readonly at: number;
  /** Number of answers. */
  readonly times: number;
}

/** Memories whose access could not be recorded. All others were recorded or no longer exist. */
export interface UnrecordedAccess {
  /** Locked by a writer: record them later. */
  readonly busy: readonly string[];
  /** Expired after they were read, so they were not idle: restore them. */
  readonly expired: readonly { readonly memoryId: string; readonly userId: string }[];
}

/**
 * Records accesses to a tenant's memories in one statement. It never waits for a writer of a memory, and locks only
 * rows that no writer has locked, so that expiry (`expireMemories`) either sees the access or is seen by it.
 */
export async function recordAccess(tx: Tx, accesses: readonly MemoryAccess[]): Promise<UnrecordedAccess> {
  const rows = await tx.query<Pick<MemorySourceEntity, 'memory_id' | 'user_id'> & { is_busy: boolean }>(
    `WITH given AS (
       SELECT g.id, g.at, g.times FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[]) AS g (id, at, times)
     ), held AS MATERIALIZED (
       SELECT m.id, m.user_id, m.state, m.deleted_by, g.at, g.times FROM given g JOIN memories m ON m.id = g.id
        WHERE m.id = ANY ($1)
        ORDER BY m.id FOR SHARE OF m SKIP LOCKED
     ), noted AS (
       INSERT INTO memory_access AS a (memory_id, last_accessed_at, access_count, days)
       SELECT h.id, h.at, h.times, jsonb_build_object(${dayOfSql('h.at')}, h.times)
         FROM held h WHERE h.state <> 'soft_deleted' ORDER BY h.id
       ON CONFLICT (tenant_id, memory_id) DO UPDATE
          SET last_accessed_at = greatest(a.last_accessed_at, excluded.last_accessed_at),
              access_count = a.access_count + excluded.access_count,
              days = (SELECT jsonb_object_agg(d.day, d.times) FROM (
                        SELECT k.key AS day, sum(k.value::integer) AS times
                          FROM (SELECT * FROM jsonb_each_text(a.days)
                                UNION ALL SELECT * FROM jsonb_each_text(excluded.days)) k
                         WHERE k.key::integer > (${dayOfSql('excluded.last_accessed_at')})::integer - ${ACCESS_DAYS}
                         GROUP BY k.key) d)
     )
     SELECT h.id AS memory_id, h.user_id, false AS is_busy FROM held h
      WHERE h.state = 'soft_deleted' AND h.deleted_by = 'ttl'
     UNION ALL
     SELECT m.id, m.user_id, true FROM memories m
      WHERE m.id = ANY ($1) AND NOT EXISTS (SELECT FROM held h WHERE h.id = m.id)`,
    [
      accesses.map(({ memoryId }) => memoryId),
      accesses.map(({ at }) => new Date(at)),
      accesses.map(({ times }) => times),
    ],
  );
  return {
    busy: rows.filter((row) => row.is_busy).map((row) => row.memory_id),
    expired: rows.filter((row) => !row.is_busy).map((row) => ({ memoryId: row.memory_id, userId: row.user_id })),
  };
}

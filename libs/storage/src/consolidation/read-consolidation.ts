import { type ConsolidationMemory, DAY_MS, MAX_COMPARED_AGE_MS, type NeighbourPair } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { ACCESS_DAYS, accessesSinceSql } from '../lifecycle/record-access.js';
import { IS_CURRENT_SQL } from '../memories/is-current.js';
import { Binder } from '../query/binder.js';
import { nearestOfAllSql } from '../vectors/nearest.js';
import { vectorColumn } from '../vectors/vector-scan.js';

type ConsolidationRow = Pick<
  MemoryEntity,
  | 'id'
  | 'revision'
  | 'content'
  | 'type'
  | 'category'
  | 'importance'
  | 'pinned'
  | 'recorded_at'
  | 'updated_at'
  | 'valid_from'
> & {
  accesses: number;
  last_accessed_at: Date | null;
  said_at: Date | null;
  threads: number;
  is_consented: boolean;
  reranked_at: Date | null;
};

/**
 * The current memories of a user as a run reads them, by id, and the fingerprints that stand. One round trip. Memories
 * that are too old to be compared are only ranked, so their content is not read.
 */
export async function readConsolidation(
  tx: Tx,
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<{ readonly memories: readonly ConsolidationMemory[]; readonly known: ReadonlySet<string> }> {
  const firstDay = Math.floor(now / DAY_MS) - ACCESS_DAYS;
  const [rows, fingerprints] = await allOf([
    tx.query<ConsolidationRow>(
      `WITH sourced AS MATERIALIZED (
         SELECT s.memory_id, max(s.said_at) AS said_at, count(DISTINCT s.thread_id)::integer AS threads
           FROM memory_sources s WHERE s.user_id = $1 GROUP BY s.memory_id
       ), consented AS MATERIALIZED (
         SELECT DISTINCT s.memory_id FROM context_proposals p
           JOIN memory_sources s ON s.message_id = ANY (p.message_ids) AND s.user_id = p.user_id
          WHERE p.user_id = $1 AND p.state = 'accepted'
       ), reranked AS MATERIALIZED (
         SELECT c.memory_ids[1] AS memory_id, max(c.changed_at) AS at FROM mind_run_changes c
          WHERE c.user_id = $1 AND c.change = 'rerank' AND c.state IN ('written', 'undone', 'left')
          GROUP BY c.memory_ids[1])
       SELECT m.id, m.revision,
              CASE WHEN greatest(m.recorded_at, m.updated_at, coalesce(s.said_at, m.valid_from)) >= $3 THEN m.content
                   ELSE '' END AS content, m.type, m.category, m.importance, m.pinned, m.recorded_at, m.updated_at,
              m.valid_from, ${accessesSinceSql('a.days', '$2')} AS accesses, a.last_accessed_at,
              s.said_at, coalesce(s.threads, 0) AS threads, c.memory_id IS NOT NULL AS is_consented, greatest(r.at, m.reranked_at) AS reranked_at
         FROM memories m
         LEFT JOIN memory_access a ON a.memory_id = m.id
         LEFT JOIN sourced s ON s.memory_id = m.id
         LEFT JOIN consented c ON c.memory_id = m.id
         LEFT JOIN reranked r ON r.memory_id = m.id
        WHERE m.user_id = $1 AND ${IS_CURRENT_SQL}
        ORDER BY m.id`,
      [userId, firstDay, new Date(now - MAX_COMPARED_AGE_MS)],
    ),
    tx.query<{ fingerprint: string }>(
      'SELECT fingerprint FROM consolidation_fingerprints WHERE user_id = $1 AND expires_at > $2',
      [userId, new Date(now)],
    ),
  ]);
  return { memories: rows.map(toMemory), known: new Set(fingerprints.map(({ fingerprint }) => fingerprint)) };
}

function toMemory(row: ConsolidationRow): ConsolidationMemory {
  const { id, revision, content, type, category, importance, pinned, accesses, threads } = row;
  return {
    id,
    revision,
    content,
    type,
    category,
    importance,
    pinned,
    accesses,
    threads,
    isConsented: row.is_consented,
    createdAt: row.recorded_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    saidAt: (row.said_at ?? row.valid_from).getTime(),
    validFrom: row.valid_from.getTime(),
    lastAccessedAt: row.last_accessed_at?.getTime() ?? null,
    rerankedAt: row.reranked_at?.getTime() ?? null,
  };
}

/** Memories near a candidate that are looked at. */
const NEIGHBOURS = 12;

/** Pairs of some candidates with the memories nearest to each, by their stored vectors. One query. */
export async function findPairNeighbours(
  tx: Tx,
  query: {
    readonly userId: string;
    readonly model: string;
    readonly dimensions: number;
    readonly candidates: readonly string[];
  },
): Promise<NeighbourPair[]> {
  if (query.candidates.length === 0) return [];
  const { bind, values } = new Binder();
  const { userId, model } = query;
  const column = vectorColumn(userId, model, query.dimensions);
  const [user, ofModel] = [bind(userId), bind(model)];
  const scan = { user, model: ofModel, point: 'p.point', column };
  // One more: the nearest is the candidate itself.
  return tx.query<{ a: string; b: string; cosine: number }>(
    `WITH points AS MATERIALIZED (
       SELECT c.memory_id, c.${column} AS point FROM memory_embeddings c
        WHERE c.user_id = ${user} AND c.model = ${ofModel} AND c.${column} IS NOT NULL
          AND c.memory_id = ANY (${bind(query.candidates)}::uuid[]))
     SELECT p.memory_id AS a, n.memory_id AS b, n.cosine
       FROM points p CROSS JOIN LATERAL (${nearestOfAllSql(scan, NEIGHBOURS + 1)}) n
      WHERE n.memory_id <> p.memory_id
      ORDER BY p.memory_id, n.cosine DESC, n.memory_id`,
    values,
  );
}

/** Quotes of the sources of memories, by memory. */
export async function readQuotes(
  tx: Tx,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (memoryIds.length === 0) return new Map();
  const rows = await tx.query<{ memory_id: string; quotes: string[] }>(
    `SELECT memory_id, array_agg(quote ORDER BY said_at, message_id) AS quotes FROM memory_sources
      WHERE memory_id = ANY ($1) GROUP BY memory_id`,
    [memoryIds],
  );
  return new Map(rows.map(({ memory_id, quotes }) => [memory_id, quotes]));
}

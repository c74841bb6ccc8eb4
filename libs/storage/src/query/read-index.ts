import { GLOBAL_OWNER } from '@annals/contracts';
import type { CollectionStatistics, PostingList, RecallKind } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { ThreadRevisionEntity } from '../entities/change-log.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { readPostings } from '../lexical/read-postings.js';
import { NO_ANALYZER } from '../lexical/reindexing-user.js';
import { Binder } from './binder.js';
import { memoryConditions, includesMemories } from './memory-conditions.js';
import { type NearestMemories, NO_NEAREST_MEMORIES, readNearest } from './read-nearest.js';
import type { RecallSearch } from './recall-search.js';
import { readUnindexed, type UnindexedTexts } from './read-unindexed.js';
import { turnConditions, includesTurns } from './turn-conditions.js';

/** What the indexes return for a query, before any row they refer to is read. */
export interface IndexSnapshot {
  readonly lists: readonly PostingList[];
  readonly statistics: Readonly<Record<RecallKind, CollectionStatistics>>;
  readonly isUnindexed: boolean;
  /** Whether the tenant has ever had a global memory; false for a search among these. */
  readonly hasGlobal: boolean;
  /** Texts that are not in the index yet. */
  readonly unindexed: UnindexedTexts;
  readonly near: NearestMemories;
  /** What changed last, when the query has neither terms nor a vector. */
  readonly latest: Readonly<Record<RecallKind, readonly string[]>>;
  readonly revision: number;
}

const ALL_INDEXED: UnindexedTexts = { turns: [], memories: [] };

/** Reads all of it in one round trip, and texts that are not in the index yet, which are rare, in a second one. */
export async function readIndex(tx: Tx, search: RecallSearch): Promise<IndexSnapshot> {
  const kinds: RecallKind[] = [
    ...(includesMemories(search) ? ['memory' as const] : []),
    ...(includesTurns(search) ? ['turn' as const] : []),
  ];
  // A boost finds nothing by itself.
  const hasTerms = search.query.some(({ isBoost }) => isBoost !== true);
  const terms = [...new Set(search.query.map(({ term }) => term))];
  const matchesEverything = !hasTerms && search.queryVector === null;
  const [lists, { hasUnindexedBatches, ...status }, near, memories, turns, revision] = await allOf([
    hasTerms && kinds.length > 0 ? readPostings(tx, search.userId, { kinds, terms }) : NOTHING,
    readIndexStatus(tx, search.userId),
    kinds.includes('memory') ? readNearest(tx, search) : Promise.resolve(NO_NEAREST_MEMORIES),
    matchesEverything && kinds.includes('memory') ? readLatestMemories(tx, search) : NOTHING,
    matchesEverything && kinds.includes('turn') ? readLatestTurns(tx, search) : NOTHING,
    readRevision(tx, search),
  ]);
  const isIncomplete = hasUnindexedBatches || status.isUnindexed;
  const unindexed = hasTerms && isIncomplete ? await readUnindexed(tx, search, kinds) : ALL_INDEXED;
  return { lists, ...status, unindexed, near, latest: { memory: memories, turn: turns }, revision };
}

const NOTHING = Promise.resolve([]);

type IndexStatusRow = Pick<
  UserEntity,
  'user_id' | 'memory_count' | 'term_total' | 'turn_count' | 'turn_length' | 'analyzer'
> & {
  has_unindexed_batches: boolean;
};

interface IndexStatus extends Pick<IndexSnapshot, 'statistics' | 'isUnindexed' | 'hasGlobal'> {
  /** Some messages are not in the index yet. */
  readonly hasUnindexedBatches: boolean;
}

async function readIndexStatus(tx: Tx, userId: string): Promise<IndexStatus> {
  const rows = await tx.query<IndexStatusRow>(
    `SELECT user_id, memory_count, term_total, turn_count, turn_length, analyzer,
            EXISTS (SELECT FROM batches b WHERE b.user_id = $1 AND b.indexed_at IS NULL) AS has_unindexed_batches
       FROM users WHERE user_id IN ($1, $2)`,
    [userId, GLOBAL_OWNER],
  );
  const row = rows.find(({ user_id: owner }) => owner === userId);
  return {
    statistics: {
      memory: { units: row?.memory_count ?? 0, totalLength: Number(row?.term_total ?? 0) },
      turn: { units: row?.turn_count ?? 0, totalLength: Number(row?.turn_length ?? 0) },
    },
    isUnindexed: row?.analyzer === NO_ANALYZER,
    hasGlobal: userId !== GLOBAL_OWNER && rows.some(({ user_id: owner }) => owner === GLOBAL_OWNER),
    hasUnindexedBatches: row?.has_unindexed_batches ?? false,
  };
}

async function readLatestMemories(tx: Tx, search: RecallSearch): Promise<string[]> {
  const { bind, values } = new Binder();
  const rows = await tx.query<Pick<MemoryEntity, 'id'>>(
    `SELECT m.id FROM memories m WHERE ${memoryConditions(search, bind)}
      ORDER BY m.updated_at DESC, m.id DESC LIMIT ${Math.trunc(search.limit)}`,
    values,
  );
  return rows.map((row) => row.id);
}

async function readLatestTurns(tx: Tx, search: RecallSearch): Promise<string[]> {
  const { bind, values } = new Binder();
  const limit = Math.trunc(search.limit);
  const conditions = turnConditions(search, bind);
  const rows = await tx.query<Pick<MessageEntity, 'id'>>(
    `SELECT t.id FROM conversations c CROSS JOIN LATERAL (
       SELECT g.id, g.received_at, g.seq FROM messages g
        WHERE g.tenant_id = c.tenant_id AND g.conversation_id = c.id AND ${conditions}
        ORDER BY g.seq DESC LIMIT ${limit}) t
      WHERE c.user_id = ${bind(search.userId)}
      ORDER BY t.received_at DESC, t.seq DESC, t.id LIMIT ${limit}`,
    values,
  );
  return rows.map((row) => row.id);
}

async function readRevision(tx: Tx, { userId, threadId, filters }: RecallSearch): Promise<number> {
  const thread = threadId ?? filters.thread_id;
  if (thread === undefined) return 0;
  const [row] = await tx.query<Pick<ThreadRevisionEntity, 'rev'>>(
    'SELECT rev FROM thread_revisions WHERE user_id = $1 AND thread_id = $2',
    [userId, thread],
  );
  return Number(row?.rev ?? 0);
}

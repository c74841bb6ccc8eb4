import { EDGE_TYPE, type Neighbour, type PlannedLink, type StatementVectors } from '@annals/domain';
import type { LockedUser } from '../audit/user-chain.js';
import { defineRead, GivenColumns } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { nearestSql, scanFromEach } from '../vectors/index.js';
import { IS_CURRENT_SQL } from './is-current.js';

/** New statements, by content, with their vectors under one model. */
export interface NeighbourQuery {
  readonly userId: string;
  readonly model: string;
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Maximum neighbours of each statement. */
  readonly limit: number;
  /** Neighbours below this cosine are left out. */
  readonly minCosine: number;
  /** The memory by statement that is not its neighbour: itself, or the one that it replaces. */
  readonly except?: ReadonlyMap<string, string>;
  /** Whether neighbours are marked that have a vector of another model in common with that memory. */
  readonly marksCompared?: boolean;
}

/** The nearest current memories of each statement, nearest first, and what was written for the user when read. */
export interface NeighbourSearchResult {
  readonly neighbours: readonly Neighbour[];
  /** Cosine of the nearest current memory by statement, also of one that is too far to be a neighbour. */
  readonly nearest: ReadonlyMap<string, number>;
  /** Last row of the user's audit chain: unchanged as long as no memory was written. */
  readonly chainSeq: number;
  /** Unchanged as long as no stored memory got its vector, which is no change of it and not in its history. */
  readonly vectorSeq: number;
}

type NeighbourRow = Pick<MemoryEntity, 'revision' | 'content' | 'category' | 'type' | 'valid_from'> & {
  ordinal: string;
  memory_id: string;
  cosine: number;
  compared_before: boolean;
};

/** Neighbours that are compared with each new statement. */
const MAX_NEIGHBOURS = 8;

/** Whether nothing was written for the user since the neighbours were read. */
export function isAsOfNow({ chainSeq, vectorSeq }: NeighbourSearchResult, { chain, ...user }: LockedUser): boolean {
  return chainSeq === chain.seq && vectorSeq === user.vectorSeq;
}

const WRITTEN_SO_FAR = defineRead<{ user_id: string }, Pick<UserEntity, 'chain_seq' | 'vector_seq'>>(
  'user_id text',
  'SELECT u.chain_seq, u.vector_seq FROM users u WHERE u.user_id = given.user_id OFFSET 0',
);

/** One statement for all new contents, and one round trip. */
export async function findNeighbours(
  tx: Tx,
  { userId, model, vectors, limit, minCosine, except = new Map(), marksCompared = false }: NeighbourQuery,
): Promise<NeighbourSearchResult> {
  const statements = [...vectors.keys()];
  const count = except.size === 0 ? limit : limit + 1;
  const [found, [user]] = await allOf([
    statements.length === 0
      ? Promise.resolve([])
      : queryNearest(tx, {
          userId,
          model,
          vectors: [...vectors.values()],
          limit: count,
          comparedIds: marksCompared ? statements.map((statement) => except.get(statement) ?? null) : null,
        }),
    tx.each(WRITTEN_SO_FAR, { user_id: userId }),
  ]);
  const statementOf = ({ ordinal }: NeighbourRow) => statements[Number(ordinal) - 1]!;
  const others = found.filter((row) => row.memory_id !== except.get(statementOf(row)));
  const rows = [...Map.groupBy(others, ({ ordinal }) => ordinal).values()].flatMap((near) => near.slice(0, limit));
  return {
    neighbours: rows
      .filter(({ cosine }) => cosine >= minCosine)
      .map((row) => ({
        statement: statementOf(row),
        memoryId: row.memory_id,
        cosine: row.cosine,
        revision: row.revision,
        content: row.content,
        category: row.category,
        type: row.type,
        validFrom: row.valid_from.getTime(),
        ...(row.compared_before ? { comparedBefore: true } : {}),
      })),
    // Rows begin with the nearest; of entries with the same key, a map keeps the last one.
    nearest: new Map(rows.toReversed().map((row) => [statementOf(row), row.cosine])),
    chainSeq: Number(user?.chain_seq ?? 0),
    vectorSeq: Number(user?.vector_seq ?? 0),
  };
}

/** The neighbours that statements are compared with (docs/reference/reconciliation.md#similarity-bands). */
export function findComparedNeighbours(
  tx: Tx,
  userId: string,
  { model, vectors, bands, ...ofStored }: StatementVectors & Pick<NeighbourQuery, 'except' | 'marksCompared'>,
): Promise<NeighbourSearchResult> {
  return findNeighbours(tx, { userId, model, vectors, limit: MAX_NEIGHBOURS, minCosine: bands.link, ...ofStored });
}

/** Edges from the statement of a plan's first change to the memories near it. */
export function linkToNeighbours({ neighbours }: NeighbourSearchResult): PlannedLink[] {
  return neighbours.map((neighbour) => ({ from: 0, ...edgeTo(neighbour) }));
}

export function edgeTo({
  memoryId,
  cosine,
}: Neighbour): Pick<PlannedLink, 'relationType' | 'strength'> & { readonly toMemoryId: string } {
  return { toMemoryId: memoryId, relationType: EDGE_TYPE, strength: Math.min(1, Math.max(0, cosine)) };
}

interface NearestQuery extends Pick<NeighbourQuery, 'userId' | 'model' | 'limit'> {
  readonly vectors: readonly Float32Array[];
  /** By vector, the stored memory that it belongs to; null: nothing was compared before. */
  readonly comparedIds: readonly (string | null)[] | null;
}

function queryNearest(tx: Tx, { userId, model, vectors, limit, comparedIds }: NearestQuery): Promise<NeighbourRow[]> {
  const given = new GivenColumns();
  const { points, scan } = scanFromEach({ userId, model, vectors }, given.bind, 'p');
  const comparedBefore =
    comparedIds === null
      ? 'false'
      : `EXISTS (SELECT FROM memory_embeddings o JOIN memory_embeddings n ON n.model = o.model
                  WHERE o.memory_id = (${given.bind(comparedIds, 'uuid[]')})[near.ordinal::integer]
                    AND o.model <> ${scan.model} AND n.memory_id = near.memory_id)`;
  const statement = defineRead<object, NeighbourRow>(
    given.definition,
    // MATERIALIZED: without statistics, the planner would search for neighbours again for every memory of the tenant.
    `WITH near AS MATERIALIZED (
       SELECT p.ordinal, n.memory_id, n.cosine
         FROM ${points} CROSS JOIN LATERAL (${nearestSql(scan, { limit, conditions: IS_CURRENT_SQL })}) n)
     SELECT near.ordinal, near.memory_id, near.cosine, m.revision, m.content, m.category, m.type, m.valid_from,
            ${comparedBefore} AS compared_before
       FROM near JOIN memories m ON m.id = near.memory_id
      ORDER BY near.ordinal, near.cosine DESC, near.memory_id`,
  );
  return tx.each(statement, given.values);
}

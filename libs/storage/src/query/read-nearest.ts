import type { Tx } from '../database/transaction.js';
import { nearestAndFirstPassSql, nearestOfAllSql, scanFrom, type VectorScan } from '../vectors/index.js';
import { Binder } from './binder.js';
import { isSelective, memoryConditions } from './memory-conditions.js';
import { ID_BYTES, readUuid } from './packed-ids.js';
import type { RecallSearch } from './recall-search.js';

/** Cosines of a user's memories to a query. */
export interface NearestMemories {
  /** Memory ids, nearest first. */
  readonly nearest: readonly string[];
  /** By memory id: of these and of other near ones. */
  readonly cosines: ReadonlyMap<string, number>;
  /** Whether the filters were applied: then fewer than `limit` means that there are no more. */
  readonly isFiltered: boolean;
}

export const NO_NEAREST_MEMORIES: NearestMemories = { nearest: [], cosines: new Map(), isFiltered: true };

/** `limit` times this factor is returned with cosines, which covers most other candidates. */
const COSINES_FACTOR = 4;

/** Unless a filter leaves out many, the nearest of all are read; the caller's look-up applies the filters. */
export function readNearest(tx: Tx, search: RecallSearch): Promise<NearestMemories> {
  return isSelective(search) ? readNearestThatPass(tx, search) : readNearestOfAll(tx, search);
}

/** The nearest that pass all filters, exactly. */
export function readNearestThatPass(tx: Tx, search: RecallSearch): Promise<NearestMemories> {
  return readPacked(tx, search, true, (scan, bind) =>
    nearestAndFirstPassSql(scan, { limit: search.limit, conditions: memoryConditions(search, bind) }),
  );
}

function readNearestOfAll(tx: Tx, search: RecallSearch): Promise<NearestMemories> {
  return readPacked(
    tx,
    search,
    false,
    (scan) => `SELECT a.*, true AS passes FROM (${nearestOfAllSql(scan, search.limit * COSINES_FACTOR)}) a`,
  );
}

/** `toSql` builds a SELECT of `(memory_id, cosine, passes)`. */
async function readPacked(
  tx: Tx,
  { userId, model, queryVector }: RecallSearch,
  isFiltered: boolean,
  toSql: (scan: VectorScan, bind: Binder['bind']) => string,
): Promise<NearestMemories> {
  if (queryVector === null) return NO_NEAREST_MEMORIES;
  const { bind, values } = new Binder();
  const sql = toSql(scanFrom({ userId, model, vector: queryVector }, bind), bind);
  const [row] = await tx.query<{ packed: Buffer | null; passing: number }>(
    `SELECT ${PACKED} AS packed, (count(*) FILTER (WHERE n.passes))::integer AS passing FROM (${sql}) n`,
    values,
  );
  const known = unpack(row!.packed);
  return { nearest: known.slice(0, row!.passing).map(([id]) => id), cosines: new Map(known), isFiltered };
}

/** One value instead of hundreds of rows, which the driver would take longer to parse than the server to find. */
const PACKED = `string_agg(uuid_send(n.memory_id) || float4send(n.cosine::float4), ''::bytea
  ORDER BY n.passes DESC, n.cosine DESC, n.memory_id)`;

const ENTRY_BYTES = ID_BYTES + 4;

function unpack(packed: Buffer | null): [id: string, cosine: number][] {
  const count = (packed?.length ?? 0) / ENTRY_BYTES;
  return Array.from({ length: count }, (_, index) => {
    const start = index * ENTRY_BYTES;
    return [readUuid(packed!, start), packed!.readFloatBE(start + ID_BYTES)];
  });
}

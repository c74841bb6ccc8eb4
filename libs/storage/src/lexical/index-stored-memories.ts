import { analyzeMemory, createSliceMeter, extractSlot, type Sliced, type UnitTerms } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { IS_CURRENT_SQL } from '../memories/is-current.js';

/** A stored memory as the present analyser reads it. */
export interface AnalyzedMemory extends UnitTerms {
  readonly id: string;
  readonly slot: string | null;
  /** Whether it belongs into the index. One that an undo deleted has left it, and has only its derived columns computed. */
  readonly isIndexed: boolean;
  /** Whether it counts in the statistics, and with how many terms so far. */
  readonly isCurrent: boolean;
  readonly termCount: number;
}

type MemoryRow = Pick<
  MemoryEntity,
  'id' | 'content' | 'category' | 'type' | 'valid_from' | 'deleted_by' | 'term_count'
> & { is_current: boolean };

/** Memories that are or were served or can be restored. Quarantined memories were never in the index. */
const INDEXABLE_SQL = `m.state <> 'quarantined' AND m.quarantine_reason IS NULL`;

const COLUMNS_SQL = `m.content, m.category, m.type, m.valid_from, m.deleted_by, m.term_count,
            ${IS_CURRENT_SQL} AS is_current`;

/** Those of these memories that belong into the index. */
export function loadIndexedMemories(tx: Tx, ids: readonly string[]): Promise<MemoryRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return tx.query<MemoryRow>(
    `SELECT m.id, ${COLUMNS_SQL} FROM memories m
      WHERE m.id = ANY ($1) AND ${INDEXABLE_SQL} AND m.deleted_by IS DISTINCT FROM 'undo'`,
    [ids],
  );
}

/**
 * Of the user's next `limit` memories behind `after`, in the order of their ids, those that are not in the index. `upTo`: the
 * last one that was looked at, null when there are no more.
 */
export async function loadUnindexedMemories(
  tx: Tx,
  userId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ rows: MemoryRow[]; upTo: string | null }> {
  const rows = await tx.query<MemoryRow & { is_missing: boolean }>(
    `SELECT p.id, p.is_missing, ${COLUMNS_SQL}
       FROM (SELECT n.tenant_id, n.id,
                    NOT EXISTS (SELECT FROM lexical_units u WHERE u.memory_id = n.id) AS is_missing
               FROM memories n WHERE n.user_id = $1 AND n.id > $2 ORDER BY n.id LIMIT ${Math.trunc(limit)}) p
       LEFT JOIN memories m ON p.is_missing AND m.tenant_id = p.tenant_id AND m.id = p.id AND ${INDEXABLE_SQL}
      ORDER BY p.id`,
    [userId, after],
  );
  return {
    rows: rows.filter(({ is_missing, content }) => is_missing && content !== null),
    upTo: rows.length < limit ? null : rows.at(-1)!.id,
  };
}

export function* analyzeMemories(rows: readonly MemoryRow[]): Sliced<AnalyzedMemory[]> {
  const meter = createSliceMeter();
  const analyses: AnalyzedMemory[] = [];
  for (const row of rows) {
    yield* meter(row.content.length);
    analyses.push({
      ...analyzeMemory({ ...row, validFrom: row.valid_from.getTime(), speaker: null }),
      id: row.id,
      slot: extractSlot(row)?.key ?? null,
      isIndexed: row.deleted_by !== 'undo',
      isCurrent: row.is_current,
      termCount: row.term_count,
    });
  }
  return analyses;
}

/** The columns derived from the content: number of terms, and slot, which identifies the attribute it is about. */
export function updateDerivedColumns(tx: Tx, memories: readonly AnalyzedMemory[]): Promise<number> {
  if (memories.length === 0) return Promise.resolve(0);
  return tx.execute(
    `UPDATE memories m SET term_count = r.length, slot = r.slot
       FROM json_to_recordset($1) AS r (id uuid, length integer, slot text)
      WHERE m.id = r.id AND m.id = ANY ($2) AND (m.term_count <> r.length OR m.slot IS DISTINCT FROM r.slot)`,
    [JSON.stringify(memories.map(({ id, length, slot }) => ({ id, length, slot }))), memories.map(({ id }) => id)],
  );
}

import {
  hashContent,
  type LastWrite,
  type MemoryChange,
  type PlannedLink,
  extractSlot,
  type StoredMemory,
} from '@annals/domain';
import { defineRead, GivenColumns } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { HistoryEntity } from '../entities/history.entity.js';
import type { RelationEntity } from '../entities/memory.entity.js';
import { IS_MEMORY_CHANGE_SQL } from '../relations/delete-links.js';
import { selectMergedIntoSql } from './is-merged.js';
import { MEMORY_COLUMNS, type MemoryRow, toStoredMemory } from './memory-statements.js';

/** The rows that the changes of one transaction are planned on. */
export interface LoadedRows {
  readonly stored: readonly StoredMemory[];
  /** Times of their evidence, epoch ms, oldest first: of rows that have a slot or were classified by a model. */
  readonly saidTimes: ReadonlyMap<string, readonly number[]>;
  readonly lastWrites: ReadonlyMap<string, LastWrite>;
  /** Of stored rows that may get relations, being changed or named by a link: the rows that each has one with. */
  readonly linkedIds: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows that were merged into those that a user deletes or restores or that are purged, directly or not. */
  readonly mergedIds: ReadonlySet<string>;
}

/** Rows that changes refer to, as far as they specify them. */
interface RequestedRows {
  readonly hashes: ReadonlySet<string>;
  readonly slots: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

/** Rows that the changes name or that equal these or new ones in content or slot. One round trip, two for an undo. */
export async function loadRows(
  tx: Tx,
  userId: string,
  changes: readonly MemoryChange[],
  links: readonly PlannedLink[],
): Promise<LoadedRows> {
  const { hashes, slots, ids } = listRequestedRows(changes);
  const undone = changes.flatMap((change) => (change.kind === 'undo' ? [change.memoryId] : []));
  const lastWrites = undone.length === 0 ? new Map<string, LastWrite>() : await loadLastWrites(tx, undone);
  const named = [...new Set([...ids, ...lastWrites.keys()])];
  const linkedFrom = links.flatMap((link) => ('fromMemoryId' in link ? [link.fromMemoryId] : []));
  const linked = [...linkedFrom, ...links.flatMap((link) => ('toMemoryId' in link ? [link.toMemoryId] : []))];
  const given = new GivenColumns();
  const { bind } = given;
  const user = bind(userId, 'text');
  const requested = [`normalized_hash = ANY (${bind([...hashes], 'text[]')})`];
  if (slots.size > 0) requested.push(`slot = ANY (${bind([...slots], 'text[]')}) AND state = 'active'`);
  if (linked.length > 0) requested.push(`id = ANY (${bind(linked, 'uuid[]')})`);
  const namedIds = named.length > 0 ? bind(named, 'uuid[]') : null;
  if (undone.length > 0) {
    requested.push(`normalized_hash IN
      (SELECT e.normalized_hash FROM memories e WHERE e.user_id = ${user} AND e.superseded_by = ANY (${namedIds}))`);
  }
  const takingAlong = changes.flatMap((change) =>
    change.kind === 'restore' ||
    change.kind === 'split' ||
    change.kind === 'purge' ||
    (change.kind === 'delete' && change.by === 'user')
      ? [change.memoryId]
      : [],
  );
  const merged = takingAlong.length > 0 ? mergedSql(user, bind(takingAlong, 'uuid[]')) : null;
  if (merged !== null) requested.push('id IN (SELECT id FROM merged)');
  const statement = defineRead<object, MemoryRow & { said: Date[] | null; merged: boolean }>(
    given.definition,
    `WITH RECURSIVE ${merged === null ? '' : `${merged}, `}requested AS MATERIALIZED (
       ${requested.map((condition) => `SELECT id FROM memories WHERE user_id = ${user} AND ${condition}`).join(' UNION ')}
       ${namedIds === null ? '' : `UNION ${namedSql(user, namedIds)}`}
     )
     SELECT ${MEMORY_COLUMNS},
            CASE WHEN m.slot IS NOT NULL ${namedIds === null ? '' : `OR m.id = ANY (${namedIds})`} THEN
              ARRAY (SELECT s.said_at FROM memory_sources s WHERE s.memory_id = m.id ORDER BY s.said_at) END AS said,
            ${merged === null ? 'false' : 'm.id IN (SELECT id FROM merged)'} AS merged
       FROM requested q JOIN memories m ON m.id = q.id AND m.user_id = ${user} OFFSET 0`,
  );
  const changed = changes.flatMap((change) => {
    if (change.kind === 'observe') return [];
    return change.kind === 'import' ? [change.memory.id] : [change.memoryId];
  });
  const linkable = links.length === 0 ? [] : [...new Set([...changed, ...linkedFrom])];
  const [rows, linkedIds] = await allOf([tx.each(statement, given.values), loadLinkedIds(tx, linkable)]);
  return {
    stored: rows.map(toStoredMemory),
    saidTimes: new Map(rows.flatMap(({ id, said }) => (said ? [[id, said.map((at) => at.getTime())]] : []))),
    lastWrites,
    linkedIds,
    mergedIds: new Set(rows.flatMap((row) => (row.merged ? [row.id] : []))),
  };
}

/** The rows that were merged into these, and into those: a CTE named `merged`. */
function mergedSql(user: string, ids: string): string {
  return `merged AS (
       ${selectMergedIntoSql(user, `= ANY (${ids})`)}
       UNION
       SELECT n.id FROM merged s CROSS JOIN LATERAL (${selectMergedIntoSql(user, '= s.id')}) n)`;
}

async function loadLinkedIds(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const linkedIds = new Map(memoryIds.map((id) => [id, new Set<string>()]));
  if (memoryIds.length === 0) return linkedIds;
  const rows = await tx.query<Pick<RelationEntity, 'from_id' | 'to_id'>>(
    `SELECT from_id, to_id FROM relations WHERE from_id = ANY ($1)
      UNION SELECT to_id, from_id FROM relations WHERE to_id = ANY ($1)`,
    [memoryIds],
  );
  for (const { from_id, to_id } of rows) linkedIds.get(from_id)!.add(to_id);
  return linkedIds;
}

/** The named rows, and those that may conflict with them: with the same content or slot. */
function namedSql(user: string, ids: string): string {
  return `SELECT n.id FROM memories n WHERE n.user_id = ${user} AND n.id = ANY (${ids})
       UNION SELECT a.id FROM memories n JOIN memories a ON a.user_id = ${user}
                AND (a.normalized_hash = n.normalized_hash OR (a.slot = n.slot AND a.state = 'active'))
              WHERE n.user_id = ${user} AND n.id = ANY (${ids})`;
}

function listRequestedRows(changes: readonly MemoryChange[]): RequestedRows {
  const requested = { hashes: new Set<string>(), slots: new Set<string>(), ids: new Set<string>() };
  for (const change of changes) {
    if (change.kind === 'observe' || change.kind === 'supersede' || change.kind === 'import') {
      requested.hashes.add(hashContent(change.memory.content));
      const slot = extractSlot(change.memory);
      if (slot) requested.slots.add(slot.key);
    }
    if (change.kind === 'import') {
      requested.ids.add(change.memory.id);
      if (change.memory.supersededBy !== null) requested.ids.add(change.memory.supersededBy);
    } else if (change.kind !== 'observe') requested.ids.add(change.memoryId);
    else {
      if (change.matches?.sameAs) requested.ids.add(change.matches.sameAs.memoryId);
      change.matches?.replaces?.forEach(({ memoryId }) => requested.ids.add(memoryId));
    }
    if (change.kind === 'merge') {
      requested.ids.add(change.other.memoryId);
      requested.hashes.add(hashContent(change.content));
    }
    if (change.kind === 'compare') change.same?.forEach(({ memoryId }) => requested.ids.add(memoryId));
  }
  return requested;
}

type LastWriteRow = Pick<HistoryEntity, 'event' | 'new_ref' | 'meta'> & { memory_id: string };

/** The last write of each memory, except links, and of every memory that was written together with it. */
async function loadLastWrites(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, LastWrite>> {
  const rows = await tx.query<LastWriteRow>(
    `WITH named AS (
       SELECT DISTINCT ON (memory_id) memory_id, event, new_ref, meta
         FROM history h WHERE memory_id = ANY ($1) AND ${IS_MEMORY_CHANGE_SQL('h')} ORDER BY memory_id, seq DESC
     ), written_together AS (
       SELECT c.id::uuid AS id FROM named n, LATERAL (
         SELECT jsonb_array_elements_text(n.meta -> 'with') AS id UNION SELECT n.new_ref::text) c
        WHERE c.id IS NOT NULL AND c.id::uuid <> ALL ($1)
     )
     SELECT * FROM named
     UNION ALL
     SELECT l.* FROM written_together c, LATERAL (
       SELECT h.memory_id, h.event, h.new_ref, h.meta
         FROM history h WHERE h.memory_id = c.id AND ${IS_MEMORY_CHANGE_SQL('h')} ORDER BY h.seq DESC LIMIT 1) l`,
    [memoryIds],
  );
  return new Map(rows.map(({ memory_id, event, new_ref, meta }) => [memory_id, { event, newRef: new_ref, meta }]));
}

import type { HistoryDraft, PlannedUnlink, WriteEvent } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { RelationEntity } from '../entities/memory.entity.js';

/** A relation that was deleted, with what its history needs. */
export type DeletedLink = Pick<RelationEntity, 'from_id' | 'to_id' | 'relation_type' | 'strength'> & {
  readonly content: string;
  readonly category: string;
};

/** Deletes relations of memories whose user is locked, and returns those that were there. One statement. */
export function deleteLinks(tx: Tx, unlinks: readonly PlannedUnlink[]): Promise<DeletedLink[]> {
  return tx.query<DeletedLink>(
    `WITH gone AS (
       SELECT * FROM delete_relations($1, $2))
     SELECT g.from_id, g.to_id, g.relation_type, g.strength, m.content, m.category
       FROM gone g JOIN memories m ON m.id = g.from_id
      ORDER BY g.from_id, g.to_id`,
    [unlinks.map(({ fromMemoryId }) => fromMemoryId), unlinks.map(({ toMemoryId }) => toMemoryId)],
  );
}

/** The row of the history: like LINK it says nothing of the memory, so it is not its last change. */
export function draftUnlink({ from_id, to_id, relation_type, strength, content }: DeletedLink): HistoryDraft {
  const meta = { undone: 'LINK', relation_type, strength };
  return { memoryId: from_id, event: 'UNDO', oldRef: null, newRef: to_id, content, meta };
}

export function describeUnlink(node: string, { from_id, category, strength }: DeletedLink): WriteEvent {
  return { node, op: 'unlink', status: 'ok', memoryId: from_id, category, sim: strength };
}

/** SQL of whether the row `h` of the history is a change of its memory, and not of a relation. */
export const IS_MEMORY_CHANGE_SQL = (h: string) =>
  `(${h}.event <> 'LINK' AND ${h}.meta ->> 'undone' IS DISTINCT FROM 'LINK')`;

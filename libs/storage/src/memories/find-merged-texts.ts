import { MERGED_FROM } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { isMergedSql } from './is-merged.js';

/**
 * Memories with a text of their own that others were merged into, among these and all that these were merged into: what
 * one of these says is in it as well. The last merge first.
 */
export function findMergedTexts(tx: Tx, memoryIds: readonly string[]): Promise<Pick<MemoryEntity, 'id' | 'state'>[]> {
  if (memoryIds.length === 0) return Promise.resolve([]);
  return tx.query(
    `WITH RECURSIVE successor AS (
       SELECT m.id, 0 AS depth FROM memories m WHERE m.id = ANY ($1)
       UNION
       SELECT m.superseded_by, s.depth + 1 FROM successor s JOIN memories m ON m.id = s.id WHERE ${isMergedSql('m')}
     )
     SELECT s.id, m.state FROM successor s JOIN memories m ON m.id = s.id
      WHERE EXISTS (SELECT FROM history h WHERE h.memory_id = s.id AND h.event = 'ADD'
                       AND h.meta ->> 'reason' = '${MERGED_FROM}')
      GROUP BY s.id, m.state ORDER BY max(s.depth) DESC, s.id`,
    [memoryIds],
  );
}

import { SAME_MEANING } from '@annals/domain';

/**
 * SQL of whether the memory with the alias `m` means the same as the one that it was merged into, which has its sources:
 * nothing has ended.
 */
export function isMergedSql(m: string): string {
  return `(${m}.superseded_by IS NOT NULL AND EXISTS (
       SELECT FROM history h WHERE h.memory_id = ${m}.id AND h.event = 'MERGE' AND h.new_ref = ${m}.superseded_by
          AND h.meta ->> 'reason' = '${SAME_MEANING}'))`;
}

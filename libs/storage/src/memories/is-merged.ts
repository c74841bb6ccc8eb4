import { SAME_MEANING } from '@annals/domain';

/**
 * SQL of whether the memory with the alias `m` means the same as the one that it was merged into, which has its sources:
 * nothing has ended.
 */
export function isMergedSql(m: string): string {
  return mergedSql(m, `AND h.meta ->> 'reason' = '${SAME_MEANING}'`);
}

/** SQL of the same for any reason: it means the same, or was restored while another one had the same words. */
export function isMergedForAnyReasonSql(m: string): string {
  return mergedSql(m, '');
}

function mergedSql(m: string, reason: string): string {
  return `(${m}.superseded_by IS NOT NULL AND EXISTS (
       SELECT FROM history h WHERE h.memory_id = ${m}.id AND h.event = 'MERGE' AND h.new_ref = ${m}.superseded_by
          ${reason}))`;
}

import { SAME_MEANING } from '@annals/domain';

/**
 * SQL of whether the memory with the alias `m` means the same as the one that it was merged into, which has its sources:
 * nothing has ended.
 */
export function isMergedSql(m: string): string {
  return mergedSql(m, `AND h.meta ->> 'reason' = '${SAME_MEANING}'`);
}

/**
 * SQL of the ids of what was merged into memories of a user, for any reason: it means the same, or was restored while
 * another one had the same words. `user` is the SQL of the user's id, `successors` are these memories: `= …`.
 */
export function selectMergedIntoSql(user: string, successors: string): string {
  return `SELECT c.id FROM memories c
           WHERE c.user_id = ${user} AND c.superseded_by ${successors} AND ${mergedSql('c', '')}`;
}

function mergedSql(m: string, reason: string): string {
  return `(${m}.superseded_by IS NOT NULL AND EXISTS (
       SELECT FROM history h WHERE h.memory_id = ${m}.id AND h.event = 'MERGE' AND h.new_ref = ${m}.superseded_by
          ${reason}))`;
}

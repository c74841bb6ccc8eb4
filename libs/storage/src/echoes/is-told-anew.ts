import { isStillSaidSql } from './note-echoes.js';

/** Reason of the relation from a memory that was over to one that says the same in other words, in its history. */
export const TOLD_ANEW = 'told_anew';

/**
 * SQL of whether a memory `k` for which `holds` is true says again what the memory `d` said
 * (docs/reference/recall.md#told-anew): in the same words, or with a relation for that reason, also to one
 * that was merged into `k` later.
 */
export function isToldAnewSql(d: string, holds: string): string {
  return `(EXISTS (
             SELECT FROM memories k
              WHERE k.tenant_id = ${d}.tenant_id AND k.user_id = ${d}.user_id
                AND k.normalized_hash = ${d}.normalized_hash AND ${holds})
           OR EXISTS (
             SELECT FROM history h
               JOIN memories added ON added.tenant_id = h.tenant_id AND added.id = h.new_ref
               JOIN memories k ON k.tenant_id = added.tenant_id
                AND k.id = CASE WHEN ${isStillSaidSql('added')} THEN added.superseded_by ELSE added.id END
              WHERE h.tenant_id = ${d}.tenant_id AND h.memory_id = ${d}.id AND h.event = 'LINK'
                AND h.meta ->> 'reason' = '${TOLD_ANEW}' AND ${holds}))`;
}

import { type Bind, givenBy } from './binder.js';
import { epochMsSql } from './candidate-row.js';
import { isValidSql } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';

/** Successors of one memory that are followed. */
const MAX_SUCCESSORS = 100;

/** SQL of whether the memory `m` is in a category that the caller may see. */
export function isVisibleSql(m: string, { visibleCategories }: RecallSearch, bind: Bind): string {
  return givenBy(bind)(visibleCategories, 'text[]', (p) => `${m}.category = ANY (${p})`);
}

/** SQL of the direct successor of the memory `m`; null where the caller may not see it, as if it had none. */
export function successorSql(m: string, search: RecallSearch, bind: Bind): string {
  if ((search.visibleCategories ?? null) === null) return `${m}.superseded_by`;
  return `(SELECT r.id FROM memories r WHERE r.id = ${m}.superseded_by AND ${isVisibleSql('r', search, bind)})`;
}

/**
 * SQL of what holds in the place of the memory `m` at the time of the query: the first of those that followed it that
 * does, else the last that was not deleted. Null while it holds itself, and without a successor that the caller may
 * see.
 */
export function replacedBySql(m: string, search: RecallSearch, bind: Bind): string {
  const followedSql = (depth: string) =>
    `SELECT n.id, n.superseded_by, n.state = 'active' AS is_active,
            n.state = 'active' AND (${isValidSql('n', search, bind)}) AS holds, ${depth} AS depth`;
  const isVisible = isVisibleSql('n', search, bind);
  return `CASE WHEN ${m}.superseded_by IS NOT NULL AND NOT (${isValidSql(m, search, bind)}) THEN (
      WITH RECURSIVE followed AS (
        ${followedSql('1')} FROM memories n WHERE n.id = ${m}.superseded_by AND ${isVisible}
        UNION ALL
        ${followedSql('f.depth + 1')} FROM followed f JOIN memories n ON n.id = f.superseded_by AND ${isVisible}
         WHERE NOT f.holds AND f.depth < ${MAX_SUCCESSORS})
      SELECT id FROM followed WHERE is_active ORDER BY depth DESC LIMIT 1) END`;
}

/**
 * SQL of what the turn with this id repeats without being a source of it, and what has ended since: a JSON array of
 * `EndedEcho`, or null. What it repeats after the end was reported, and what holds again, has not ended.
 */
export function endedEchoesSql(messageId: string, search: RecallSearch, bind: Bind): string {
  return `(SELECT json_agg(json_build_object('content', e.content, 'supersededBy', r.id, 'validTo', ${epochMsSql('e.valid_to')},
                                             'replacedBy', ${replacedBySql('e', search, bind)}))
      FROM messages t
      JOIN memories e ON e.tenant_id = t.tenant_id AND e.id = ANY (t.echo_of)
      JOIN memories r ON r.tenant_id = e.tenant_id AND r.id = e.superseded_by
     WHERE t.id = ${messageId} AND e.state = 'active'
       AND ${isVisibleSql('e', search, bind)} AND ${isVisibleSql('r', search, bind)}
       AND NOT (${isValidSql('e', search, bind)})
       AND (t.said_at < greatest(e.valid_to, r.valid_from) OR EXISTS (
             SELECT FROM memory_sources s
              WHERE s.memory_id = r.id AND (s.said_at, s.message_id) > (t.said_at, t.id)))
       AND NOT EXISTS (SELECT FROM memory_sources s WHERE s.memory_id = e.id AND s.message_id = t.id)
       AND NOT EXISTS (
             SELECT FROM memories k
              WHERE k.user_id = e.user_id AND k.normalized_hash = e.normalized_hash AND k.state = 'active'
                AND (${isValidSql('k', search, bind)})))`;
}

import { isToldAnewSql } from '../echoes/is-told-anew.js';
import { isMergedSql } from '../memories/is-merged.js';
import { type Bind, givenBy } from './binder.js';
import { epochMsSql } from './candidate-row.js';
import { endSql, hasBegunSql, hasEndedSql, isValidSql } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';

/** Successors of one memory that are followed. */
const MAX_SUCCESSORS = 100;

/** SQL of whether the memory `m` is in a category that the caller may see. */
export function isVisibleSql(m: string, { visibleCategories }: RecallSearch, bind: Bind): string {
  return givenBy(bind)(visibleCategories, 'text[]', (p) => `${m}.category = ANY (${p})`);
}

/**
 * SQL of the direct successor of the memory `m`, purged or not; null where the caller may not see it, as if it had
 * none.
 */
export function successorSql(m: string, search: RecallSearch, bind: Bind): string {
  if ((search.visibleCategories ?? null) === null) return `${m}.superseded_by`;
  const isHidden = `EXISTS (SELECT FROM memories h WHERE h.id = ${m}.superseded_by AND NOT ${isVisibleSql('h', search, bind)})`;
  return `CASE WHEN NOT ${isHidden} THEN ${m}.superseded_by END`;
}

/**
 * SQL of what holds in the place of the memory `m` at the time of the query: the first of those that followed it that
 * does, else the last that was not deleted. Null until it has ended, and without a successor that had begun and that
 * the caller may see.
 */
export function replacedBySql(m: string, search: RecallSearch, bind: Bind): string {
  const followedSql = (depth: string) =>
    `SELECT n.id, n.superseded_by, n.state = 'active' AS is_active,
            n.state = 'active' AND (${isValidSql('n', search, bind)}) AS holds, ${depth} AS depth`;
  const isFollowed = `${isVisibleSql('n', search, bind)} AND ${hasBegunSql('n', search, bind)}`;
  return `CASE WHEN ${m}.superseded_by IS NOT NULL AND ${hasEndedSql(m, search, bind)} THEN (
      WITH RECURSIVE followed AS (
        ${followedSql('1')} FROM memories n WHERE n.id = ${m}.superseded_by AND ${isFollowed}
        UNION ALL
        ${followedSql('f.depth + 1')} FROM followed f JOIN memories n ON n.id = f.superseded_by AND ${isFollowed}
         WHERE NOT f.holds AND f.depth < ${MAX_SUCCESSORS})
      SELECT id FROM followed WHERE is_active ORDER BY depth DESC LIMIT 1) END`;
}

/**
 * SQL of what the turn with this id repeats without being a source of it, and what has ended since: a JSON array of
 * `EndedEcho`, or null. What it repeats after the end was reported, and what holds again, has not ended.
 */
export function endedEchoesSql(messageId: string, search: RecallSearch, bind: Bind): string {
  const end = endSql('e', search, bind);
  return `(SELECT json_agg(json_build_object('content', e.content, 'supersededBy', e.superseded_by,
                                             'replacedBy', ${replacedBySql('e', search, bind)},
                                             'validTo', ${epochMsSql(end)}))
      FROM messages t
      JOIN memories e ON e.tenant_id = t.tenant_id AND e.id = ANY (t.echo_of)
      LEFT JOIN memories r ON r.tenant_id = e.tenant_id AND r.id = e.superseded_by AND ${hasBegunSql('r', search, bind)}
     WHERE t.id = ${messageId} AND e.state = 'active'
       AND ${isVisibleSql('e', search, bind)} AND ${successorSql('e', search, bind)} IS NOT NULL
       AND NOT ${isMergedSql('e')} AND ${hasEndedSql('e', search, bind)}
       AND (t.said_at < greatest(${end}, r.valid_from) OR EXISTS (
             SELECT FROM memory_sources s
              WHERE s.memory_id = r.id AND (s.said_at, s.message_id) > (t.said_at, t.id)))
       AND NOT EXISTS (SELECT FROM memory_sources s WHERE s.memory_id = e.id AND s.message_id = t.id)
       AND NOT ${isToldAnewSql('e', `k.state = 'active' AND (${isValidSql('k', search, bind)})`)})`;
}

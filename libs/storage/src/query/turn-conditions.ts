import { isToldAnewSql } from '../echoes/is-told-anew.js';
import { type Bind, givenBy } from './binder.js';
import { mentionsSql, SOURCE_FILTERS } from './memory-conditions.js';
import type { RecallSearch } from './recall-search.js';

/** Category and importance of turns, for filters and ranking (docs/reference/recall.md#turns-are-recallable). */
export const TURN_CATEGORY = 'activity';
export const TURN_IMPORTANCE = 2;

/** Whether the filters can match turns at all. */
export function includesTurns({ filters, categories, exceptCategories, types }: RecallSearch): boolean {
  return (
    (types === null || types.includes('turn')) &&
    (categories === null || categories.includes(TURN_CATEGORY)) &&
    !exceptCategories?.includes(TURN_CATEGORY) &&
    (filters.category === undefined || filters.category === TURN_CATEGORY) &&
    filters.pinned !== true &&
    (filters.importance_min ?? TURN_IMPORTANCE) <= TURN_IMPORTANCE &&
    (filters.importance_max ?? TURN_IMPORTANCE) >= TURN_IMPORTANCE
  );
}

/**
 * SQL of whether the deletion of the memory `d` hides the message with this id. A memory that was quarantined and
 * rejected hides nothing: its content was not in the turn. An undone memory hides a turn that no active memory is based
 * on; a turn that the previous memory is based on stays visible.
 */
const hidesSql = (messageId: string) => `(d.state = 'soft_deleted' AND d.quarantine_reason IS NULL
       AND (d.deleted_by = 'user' OR d.deleted_by = 'undo' AND NOT EXISTS (
              SELECT FROM memory_sources o JOIN memories k ON k.tenant_id = o.tenant_id AND k.id = o.memory_id
               WHERE o.tenant_id = d.tenant_id AND o.message_id = ${messageId} AND k.state = 'active')))`;

/** SQL of whether the deletion of the memory `d` hides the turn that it cites by `s`. */
export const HIDES_TURN_SQL = hidesSql('s.message_id');

/**
 * SQL of whether `messages g` repeats what was deleted (docs/reference/recall.md#deleted-memories-hide-their-turns). What
 * a user says again after the deletion is told anew; what an assistant repeats then is hidden until it is.
 */
const REPEATS_DELETED_SQL = `(g.echo_of IS NOT NULL AND EXISTS (
       SELECT FROM memories d WHERE d.tenant_id = g.tenant_id AND d.id = ANY (g.echo_of) AND ${hidesSql('g.id')}
          AND (g.said_at <= d.deleted_at
               OR g.role = 'assistant' AND NOT ${isToldAnewSql('d', "k.state = 'active'")})))`;

/** SQL of whether `messages g` may be returned, but for the memories that cite it. */
const IS_VISIBLE_SQL = `g.hidden_at IS NULL AND NOT ${REPEATS_DELETED_SQL}`;

/**
 * SQL of whether nothing that was deleted hides `messages g`. OFFSET 0: each turn asks for its own memories by index;
 * the planner would read all deleted memories of the tenant instead, and for that all memories, as soon as a statement
 * returns the condition as a column.
 */
export const IS_RECALLABLE_SQL = `(${IS_VISIBLE_SQL} AND NOT EXISTS (
       SELECT FROM memory_sources s JOIN memories d ON d.tenant_id = s.tenant_id AND d.id = s.memory_id
        WHERE s.tenant_id = g.tenant_id AND s.message_id = g.id AND ${HIDES_TURN_SQL} OFFSET 0))`;

/**
 * Conditions on `messages g` in `conversations c` for every turn that a query may return: role user or assistant, not
 * evicted, not hidden, and neither cited by a memory that a user deleted nor a repetition of one.
 */
export function turnConditions(search: RecallSearch, bind: Bind): string {
  return `${scopeConditions(search, bind)} AND ${IS_RECALLABLE_SQL}`;
}

/** The same without the condition on citing memories. */
export function spokenConditions(search: RecallSearch, bind: Bind): string {
  return `${scopeConditions(search, bind)} AND ${IS_VISIBLE_SQL}`;
}

function scopeConditions(search: RecallSearch, bind: Bind): string {
  const { filters } = search;
  const given = givenBy(bind);
  return [
    `c.user_id = ${bind(search.userId)}`,
    `g.role IN ('user', 'assistant') AND g.evicted_at IS NULL`,
    given(filters.thread_id, 'text', (p) => `c.thread_id = ${p}`),
    ...SOURCE_FILTERS.map((column) => given(filters[column], 'text', (p) => `g.${column} = ${p}`)),
    given(search.mentions, 'text[]', (p) => mentionsSql('g.content', p)),
    given(filters.updated_after, 'timestamptz', (p) => `g.received_at > ${p}`),
    given(filters.updated_before, 'timestamptz', (p) => `g.received_at < ${p}`),
    given(search.asOf, 'timestamptz', (p) => `g.said_at <= ${p}`),
    given(search.knownAt, 'timestamptz', (p) => `g.received_at <= ${p}`),
  ].join(' AND ');
}

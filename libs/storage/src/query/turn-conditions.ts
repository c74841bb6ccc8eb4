import type { RecallSearch } from './recall-search.js';

/**
 * What turns count as, where memories have a category and an importance
 * (docs/reference/recall.md#turns-are-recallable).
 */
export const TURN_CATEGORY = 'activity';
export const TURN_IMPORTANCE = 2;

/** Whether filters leave room for turns at all. */
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
 * SQL of whether a user deleted the memory `d`, with which the turn that it cites by `s` is hidden. What was quarantined
 * and rejected hides nothing: its words were not in the turn. What an undo took away hides a turn that nothing else
 * rests on; one that the words before rest on stays in sight.
 */
export const HIDES_TURN_SQL = `(d.state = 'soft_deleted' AND d.quarantine_reason IS NULL
       AND (d.deleted_by = 'user' OR d.deleted_by = 'undo' AND NOT EXISTS (
              SELECT FROM memory_sources o JOIN memories k ON k.tenant_id = o.tenant_id AND k.id = o.memory_id
               WHERE o.tenant_id = s.tenant_id AND o.message_id = s.message_id AND k.state = 'active')))`;

/**
 * Conditions on `messages g` in `conversations c` that hold for every turn a question may see: spoken, by people or
 * agents, not hidden, and cited by no memory that a user deleted.
 */
export function turnConditions(search: RecallSearch, bind: (value: unknown) => string): string {
  return `${spokenConditions(search, bind)} AND NOT EXISTS (
       SELECT FROM memory_sources s JOIN memories d ON d.tenant_id = s.tenant_id AND d.id = s.memory_id
        WHERE s.tenant_id = g.tenant_id AND s.message_id = g.id AND ${HIDES_TURN_SQL})`;
}

/** The same but for what cites the turn. */
export function spokenConditions(search: RecallSearch, bind: (value: unknown) => string): string {
  const { filters } = search;
  const given = (value: unknown, type: string, condition: (parameter: string) => string) => {
    const parameter = `${bind(value ?? null)}::${type}`;
    return `(${parameter} IS NULL OR ${condition(parameter)})`;
  };
  return [
    `c.user_id = ${bind(search.userId)}`,
    `g.role IN ('user', 'assistant')`,
    'g.hidden_at IS NULL',
    given(filters.thread_id, 'text', (p) => `c.thread_id = ${p}`),
    given(filters.agent_id, 'text', (p) => `g.agent_id = ${p}`),
    given(filters.run_id, 'text', (p) => `g.run_id = ${p}`),
    given(filters.actor_id, 'text', (p) => `g.actor_id = ${p}`),
    given(filters.app_id, 'text', (p) => `g.app_id = ${p}`),
    given(filters.role, 'text', (p) => `g.role = ${p}`),
    given(filters.updated_after, 'timestamptz', (p) => `g.received_at > ${p}`),
    given(filters.updated_before, 'timestamptz', (p) => `g.received_at < ${p}`),
    given(search.asOf, 'timestamptz', (p) => `g.said_at <= ${p}`),
    given(search.knownAt, 'timestamptz', (p) => `g.received_at <= ${p}`),
  ].join(' AND ');
}

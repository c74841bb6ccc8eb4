import { GLOBAL_OWNER } from '@annals/contracts';
import { isServedInsightSql } from '../insights/insight-view.js';
import { type Bind, type Given, givenBy } from './binder.js';
import type { RecallSearch } from './recall-search.js';

type Times = Pick<RecallSearch, 'asOf' | 'knownAt' | 'now'>;

/**
 * SQL of whether a memory held at `as_of`, as far as that was known at `known_at`
 * (docs/reference/truth-and-time.md#as_of-and-known_at); without either, whether it holds now. A memory that ends in
 * the future holds until then, even if its successor is known. `m` is the alias of `memories`.
 */
export function isValidSql(m: string, times: Times, bind: Bind): string {
  const { asOf, knownAt, now } = times;
  if (asOf === null && knownAt === null) {
    return `(${m}.valid_to IS NULL OR ${m}.valid_to > ${bind(new Date(now))}::timestamptz)`;
  }
  return `${hasBegunSql(m, times, bind)} AND NOT ${endsInTimeSql(m, times, bind)}`;
}

/**
 * SQL of whether a memory had ended at the time of the query, as far as that was known. Not the opposite of
 * `isValidSql`: what had not begun then, or was recorded later, had not ended.
 */
export function hasEndedSql(m: string, times: Times, bind: Bind): string {
  return `(${hasBegunSql(m, times, bind)} AND ${endsInTimeSql(m, times, bind)})`;
}

/** SQL of whether a memory was recorded at `known_at` and had begun at `as_of`, as far as these are given. */
export function hasBegunSql(m: string, { asOf, knownAt }: Times, bind: Bind): string {
  const conditions = [
    ...(knownAt === null ? [] : [`${m}.recorded_at <= ${bind(knownAt)}::timestamptz`]),
    ...(asOf === null ? [] : [`${m}.valid_from <= ${bind(asOf)}::timestamptz`]),
  ];
  return conditions.join(' AND ') || 'true';
}

/** SQL of the end of a memory as it was known at `known_at`; null for none. */
export function endSql(m: string, { knownAt }: Times, bind: Bind): string {
  if (knownAt === null) return `${m}.valid_to`;
  const known = `${bind(knownAt)}::timestamptz`;
  const isEndKnown = `coalesce(${m}.closed_at <= ${known}, false)`;
  // The end that was recorded before the row's current end.
  const formerEnd = `(SELECT to_timestamp((f.belief ->> 'validTo')::float8 / 1000)
      FROM jsonb_array_elements(${m}.former_ends) AS f (belief)
     WHERE to_timestamp((f.belief ->> 'since')::float8 / 1000) <= ${known}
     ORDER BY (f.belief ->> 'since')::float8 DESC LIMIT 1)`;
  return `CASE WHEN ${isEndKnown} THEN ${m}.valid_to WHEN ${m}.former_ends IS NOT NULL THEN ${formerEnd} END`;
}

function endsInTimeSql(m: string, times: Times, bind: Bind): string {
  const time = times.asOf ?? times.knownAt ?? new Date(times.now);
  return `coalesce(${endSql(m, times, bind)} <= ${bind(time)}::timestamptz, false)`;
}

/** Types and categories of the memories that a query may return, before the SQL is built; null: no memories. */
function resolveMemoryScope({ filters, categories, types }: RecallSearch) {
  const ofTypes = types?.filter((type) => type !== 'turn') ?? null;
  const ofCategories =
    filters.category === undefined
      ? categories
      : (categories ?? [filters.category]).filter((name) => name === filters.category);
  if (ofTypes?.length === 0 || ofCategories?.length === 0) return null;
  return { types: ofTypes, categories: ofCategories };
}

export function includesMemories(search: RecallSearch): boolean {
  return resolveMemoryScope(search) !== null;
}

/** Whether a filter may leave out many of a user's memories, so that it pays to search only those that pass. */
export function isSelective({ filters, mentions, categories, types, asOf, knownAt }: RecallSearch): boolean {
  const { user_id: _, ...others } = filters;
  const leavesOut = Object.values(others).some((value) => value !== undefined && value !== null);
  return (
    leavesOut || Boolean(mentions) || categories !== null || asOf !== null || knownAt !== null || isOfFewTypes(types)
  );
}

/**
 * Almost every query asks for all but procedural memories
 * (docs/reference/categories-and-agents.md#categories-on-request-only).
 */
function isOfFewTypes(types: RecallSearch['types']): boolean {
  return types !== null && !(types.includes('semantic') && types.includes('episodic'));
}

/**
 * Whether global memories can meet the filters: they have no sources, so a filter on one leaves them out
 * (docs/reference/memory-model.md#global-memories).
 */
export function includesGlobal(search: RecallSearch): boolean {
  const { filters } = search;
  return (
    includesMemories(search) &&
    filters.thread_id === undefined &&
    SOURCE_FILTERS.every((column) => filters[column] === undefined)
  );
}

/** SQL of whether a memory `m` is the user's or, where the filters allow it, a global one. */
export function isOwnOrGlobalSql(search: RecallSearch, bind: Bind): string {
  if (!includesGlobal(search)) return `m.user_id = ${bind(search.userId)}`;
  return `m.user_id IN (${bind(search.userId)}, ${bind(GLOBAL_OWNER)})`;
}

/**
 * Conditions on `memories m` for everything that a query may return. `isOwned`: SQL of whose they may be; default: the
 * user's alone. The SQL text varies little between filters, since a connection prepares a limited number of statements.
 */
export function memoryConditions(
  search: RecallSearch,
  bind: Bind,
  isOwned = `m.user_id = ${bind(search.userId)}`,
): string {
  const { filters } = search;
  const scope = resolveMemoryScope(search);
  const given = givenBy(bind);
  return [
    isOwned,
    `m.state = 'active'`,
    given(scope?.categories ?? null, 'text[]', (p) => `m.category = ANY (${p})`),
    given(search.exceptCategories ?? null, 'text[]', (p) => `m.category <> ALL (${p})`),
    given(scope?.types ?? null, 'text[]', (p) => `m.type = ANY (${p})`),
    given(filters.pinned, 'boolean', (p) => `m.pinned = ${p}`),
    given(filters.importance_min, 'integer', (p) => `m.importance >= ${p}`),
    given(filters.importance_max, 'integer', (p) => `m.importance <= ${p}`),
    given(filters.updated_after, 'timestamptz', (p) => `m.updated_at > ${p}`),
    given(filters.updated_before, 'timestamptz', (p) => `m.updated_at < ${p}`),
    given(search.mentions, 'text[]', (p) => mentionsSql('m.content', p)),
    ...sourceConditions(search, bind, given),
    ...insightConditions(search, scope?.types ?? null, bind),
    isValidSql('m', search, bind),
  ].join(' AND ');
}

/** Insights that are switched off, or that the caller may not see (docs/reference/insights.md#who-sees-an-insight). */
function insightConditions(
  { insights = { isOnByDefault: true, agentId: null }, visibleCategories = null }: RecallSearch,
  types: readonly string[] | null,
  bind: Bind,
): string[] {
  if (types !== null && !types.includes('insight')) return [];
  return [isServedInsightSql('m', { ...insights, categories: visibleCategories }, bind)];
}

/** SQL of whether a text contains all of the placeholders in the parameter `p`, a `text[]`. */
export function mentionsSql(text: string, p: string): string {
  return `NOT EXISTS (SELECT FROM unnest(${p}) AS wanted (placeholder) WHERE strpos(${text}, wanted.placeholder) = 0)`;
}

/** Filters on a source, by the name of its column. */
export const SOURCE_FILTERS = ['agent_id', 'run_id', 'actor_id', 'app_id', 'role'] as const;

/**
 * Conditions on the sources: a single source has to fulfil all of them
 * (docs/reference/memory-model.md#scope-fields-and-source-filters). A thread's memories are found by its index.
 */
function sourceConditions({ userId, filters }: RecallSearch, bind: Bind, given: Given): string[] {
  const { thread_id } = filters;
  if (thread_id === undefined && SOURCE_FILTERS.every((column) => filters[column] === undefined)) return [];
  const conditions = [
    `s.user_id = ${bind(userId)}`,
    ...(thread_id === undefined ? [] : [`s.thread_id = ${bind(thread_id)}`]),
    ...SOURCE_FILTERS.map((column) => given(filters[column], 'text', (p) => `s.${column} = ${p}`)),
  ];
  return [`m.id IN (SELECT s.memory_id FROM memory_sources s WHERE ${conditions.join(' AND ')})`];
}

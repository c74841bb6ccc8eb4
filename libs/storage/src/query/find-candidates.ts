import { GLOBAL_OWNER, MEMORY_TYPES } from '@annals/contracts';
import { allOf, type Tx } from '../database/transaction.js';
import { Binder } from './binder.js';
import { type CandidateEdge, hydrateMemories, hydrateTurns, type RequestedUnits } from './hydrate.js';
import type { HydratedUnit } from './candidate-row.js';
import { type LexicalScores, type ScopedUnit, scoreIndex, type UnitRef } from './lexical-scores.js';
import { includesGlobal, memoryConditions } from './memory-conditions.js';
import { type IndexSnapshot, readIndex } from './read-index.js';
import { type NearestMemories, readNearestThatPass } from './read-nearest.js';
import type { CandidateSearchResult, RecallSearch } from './recall-search.js';
import { turnConditions } from './turn-conditions.js';

/** `limit` times this factor is looked up first, since filters leave some out. */
const OVERFETCH_FACTOR = 1.2;
/** When at least one in this many passes, this many times more are looked up; else the whole scope is read. */
const RETRY_FACTOR = 8;
/** `limit` times this factor of each kind is sorted at first. */
const RANKED_FACTOR = 2;
/** What is over in a turn is known once it was read: `limit` times this factor are, for what holds alone. */
const CURRENT_FACTOR = 10;

/**
 * Candidates for an answer: the nearest memories by vector, the best memories and turns by words, and for a query
 * without either, what changed last. Every filter is applied in SQL before anything is returned. Two round trips: what
 * the index returns, then the rows it refers to; further ones only while something waits to be indexed, and while
 * filters leave fewer than `limit` and the index has more, so that a filter never reduces the number of results.
 * Row-level security applies in addition. Global memories are searched like those of another user, since their index has
 * numbers and statistics of its own, and only in a tenant that has some: one more round trip.
 */
export async function findCandidates(tx: Tx, search: RecallSearch): Promise<CandidateSearchResult> {
  const reading = await readIndex(tx, search);
  if (!reading.hasGlobal || !includesGlobal(search)) return lookUpFound(tx, search, reading);
  const [own, global] = await allOf([lookUpFound(tx, search, reading), findCandidates(tx, toGlobalSearch(search))]);
  return {
    ...own,
    candidates: [...own.candidates, ...global.candidates],
    sources: new Map([...own.sources, ...global.sources]),
  };
}

/** The same search among global memories, of which none is a turn, and in no thread. */
function toGlobalSearch(search: RecallSearch): RecallSearch {
  const types = search.types?.filter((type) => type !== 'turn') ?? MEMORY_TYPES;
  return { ...search, userId: GLOBAL_OWNER, types, threadId: null };
}

async function lookUpFound(tx: Tx, search: RecallSearch, reading: IndexSnapshot): Promise<CandidateSearchResult> {
  const scores = await scoreIndex(reading, search.query, search.limit * RANKED_FACTOR);
  const [memories, turns] = await allOf([
    gatherMemories(tx, search, reading, scores),
    gather(search.limit, reading.latest.turn, {
      scopeFactor: search.currentOnly ? CURRENT_FACTOR : 1,
      rank: (count) => scores.refs('turn', count),
      lookUp: (requested) => lookUpTurns(tx, search, requested, scores),
      rankScope: async () => scores.rankScope('turn', await scanTurns(tx, search)),
    }),
  ]);
  const strengths = findStrongestEdges(memories);
  const rows = [...memories.rows, ...turns.rows];
  return {
    candidates: rows.map((row) => ({
      ...row,
      lexicalCeiling: scores.ceiling,
      relatedStrength: strengths.get(row.id) ?? 0,
    })),
    sources: new Map(rows.map(({ id, sources }) => [id, sources])),
    revision: reading.revision,
    isUnindexed: reading.isUnindexed,
  };
}

interface LookupResult {
  readonly rows: readonly HydratedUnit[];
  readonly edges: readonly CandidateEdge[];
}

const countWithOverfetch = (limit: number) => Math.ceil(limit * OVERFETCH_FACTOR);

/** The nearest were read without the filters: where too few of them pass, the nearest that pass are read. */
async function gatherMemories(
  tx: Tx,
  search: RecallSearch,
  { near, latest }: IndexSnapshot,
  scores: LexicalScores,
): Promise<LookupResult> {
  const gatherNear = ({ nearest, cosines }: NearestMemories) =>
    gather(search.limit, [...nearest.slice(0, countWithOverfetch(search.limit)), ...latest.memory], {
      scopeFactor: 1,
      rank: (count) => scores.refs('memory', count),
      lookUp: (requested) => hydrateMemories(tx, search, { ...requested, cosines }, scores),
      rankScope: async () => scores.rankScope('memory', await scanMemories(tx, search)),
    });
  const found = await gatherNear(near);
  if (near.isFiltered || near.nearest.length <= countWithOverfetch(search.limit)) return found;
  const passing = new Set(found.rows.map(({ id }) => id));
  const count = near.nearest.filter((id) => passing.has(id)).length;
  return count >= search.limit ? found : gatherNear(await readNearestThatPass(tx, search));
}

async function lookUpTurns(
  tx: Tx,
  search: RecallSearch,
  requested: RequestedUnits,
  scores: LexicalScores,
): Promise<LookupResult> {
  return { rows: await hydrateTurns(tx, search, requested, scores), edges: [] };
}

interface Source {
  /** Of the scope, `limit` times this factor is looked up: more than once where a look-up leaves out some of it. */
  readonly scopeFactor: number;
  /** The best `count` by lexical score, or all when there are fewer. */
  rank(count: number): readonly UnitRef[];
  lookUp(requested: RequestedUnits): Promise<LookupResult>;
  /** All lexical matches that pass the filters, best first. */
  rankScope(): Promise<readonly UnitRef[]>;
}

/**
 * Looks up the `requiredIds`, best first, and the best lexical matches, until `limit` of the latter have passed the
 * filters. Returns at most `limit` of either.
 */
async function gather(limit: number, requiredIds: readonly string[], source: Source): Promise<LookupResult> {
  const count = countWithOverfetch(limit);
  const refs = source.rank(count);
  if (requiredIds.length + refs.length === 0) return { rows: [], edges: [] };
  let found = await source.lookUp(toRequestedUnits(requiredIds, refs));
  const isExhausted = refs.length < count;
  if (!isExhausted && countLexicalMatches(found) < limit) {
    const more = countLexicalMatches(found) * RETRY_FACTOR >= limit ? source.rank(count * RETRY_FACTOR) : [];
    if (more.length > 0) found = await source.lookUp(toRequestedUnits(requiredIds, more));
    const areAll = more.length > 0 && more.length < count * RETRY_FACTOR;
    if (!areAll && countLexicalMatches(found) < limit) {
      const scope = await source.rankScope();
      found = await source.lookUp(toRequestedUnits(requiredIds, scope.slice(0, limit * source.scopeFactor)));
    }
  }
  const passing = new Set(found.rows.map(({ id }) => id));
  const best = found.rows.toSorted((a, b) => b.lexical - a.lexical).slice(0, limit);
  const selected = new Set([
    ...best.map((row) => row.id),
    ...requiredIds.filter((id) => passing.has(id)).slice(0, limit),
  ]);
  return { rows: found.rows.filter((row) => selected.has(row.id)), edges: found.edges };
}

function toRequestedUnits(ids: readonly string[], refs: readonly UnitRef[]): RequestedUnits {
  return {
    units: refs.flatMap((ref) => ('unit' in ref ? [ref.unit] : [])),
    ids: [...ids, ...refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))],
  };
}

const countLexicalMatches = ({ rows }: LookupResult) => rows.filter((row) => row.lexical > 0).length;

/** Strength of the strongest edge to another candidate, by memory. */
function findStrongestEdges({ rows, edges }: LookupResult): Map<string, number> {
  const ids = new Set(rows.map((row) => row.id));
  const strongest = new Map<string, number>();
  for (const { from_id, to_id, strength } of edges) {
    if (!ids.has(from_id) || !ids.has(to_id)) continue;
    for (const id of [from_id, to_id]) strongest.set(id, Math.max(strongest.get(id) ?? 0, strength));
  }
  return strongest;
}

/** Every indexed memory that passes the filters. */
function scanMemories(tx: Tx, search: RecallSearch): Promise<ScopedUnit[]> {
  const { bind, values } = new Binder();
  return tx.query<ScopedUnit>(
    `SELECT m.id, u.unit FROM memories m JOIN lexical_units u ON u.memory_id = m.id
      WHERE u.user_id = ${bind(search.userId)} AND ${memoryConditions(search, bind)}`,
    values,
  );
}

/** Every indexed turn that passes the filters. */
function scanTurns(tx: Tx, search: RecallSearch): Promise<ScopedUnit[]> {
  const { bind, values } = new Binder();
  return tx.query<ScopedUnit>(
    `SELECT g.id, u.unit
       FROM conversations c
       JOIN messages g ON g.tenant_id = c.tenant_id AND g.conversation_id = c.id
       JOIN lexical_units u ON u.message_id = g.id
      WHERE u.user_id = ${bind(search.userId)} AND ${turnConditions(search, bind)}`,
    values,
  );
}

import { allOf, type Tx } from '../database/transaction.js';
import { type HydratedUnit, hydrateMemories, hydrateTurns, type Wanted, type WantedEdge } from './hydrate.js';
import { type IndexReading, readIndex } from './read-index.js';
import { type Near, readNearestThatPass } from './read-nearest.js';
import type { RecallFindings, RecallSearch } from './recall-search.js';
import { scanMemories, scanTurns } from './scan-scope.js';
import { type LexicalScores, type Place, scoreIndex } from './score-index.js';

/** So many times `limit` are looked up first, since filters leave some out. */
const SPARE = 1.2;
/** When at least one in so many passes, so many times more are looked up; else the whole scope is read. */
const MORE = 8;
/** So many times `limit` of each kind are put in order at first. */
const RANKED = 2;

/**
 * Candidates for an answer: the nearest memories by vector, the best memories and turns by words, and where a question
 * has neither, what changed last. Every filter holds in SQL before anything comes back. Two round trips: what the index
 * says, then what it points to; further ones only while something waits to be indexed, and while filters leave fewer
 * than `limit` and the index knows more, so that a filter never costs an answer. Row-level security holds besides.
 */
export async function findCandidates(tx: Tx, search: RecallSearch): Promise<RecallFindings> {
  const reading = await readIndex(tx, search);
  const scores = scoreIndex(reading, search.question, search.limit * RANKED);
  const [memories, turns] = await allOf([
    gatherMemories(tx, search, reading, scores),
    gather(search.limit, reading.latest.turn, {
      rank: (count) => scores.places('turn', count),
      lookUp: (wanted) => lookUpTurns(tx, search, wanted, scores),
      rankScope: async () => scores.rankScope('turn', await scanTurns(tx, search)),
    }),
  ]);
  const strengths = strongestEdges(memories);
  const rows = [...memories.rows, ...turns.rows];
  return {
    candidates: rows.map((row) => ({
      ...row,
      lexicalCeiling: scores.ceiling,
      relatedStrength: strengths.get(row.id) ?? 0,
    })),
    sources: new Map(rows.map(({ id, sources }) => [id, sources])),
    revision: reading.revision,
    isStale: reading.isStale,
  };
}

interface Found {
  readonly rows: readonly HydratedUnit[];
  readonly edges: readonly WantedEdge[];
}

const countSpare = (limit: number) => Math.ceil(limit * SPARE);

/** The nearest were read without the filters: where too few of them pass, those that do are asked for. */
async function gatherMemories(
  tx: Tx,
  search: RecallSearch,
  { near, latest }: IndexReading,
  scores: LexicalScores,
): Promise<Found> {
  const gatherNear = ({ nearest, cosines }: Near) =>
    gather(search.limit, [...nearest.slice(0, countSpare(search.limit)), ...latest.memory], {
      rank: (count) => scores.places('memory', count),
      lookUp: (wanted) => hydrateMemories(tx, search, { ...wanted, cosines }, scores),
      rankScope: async () => scores.rankScope('memory', await scanMemories(tx, search)),
    });
  const found = await gatherNear(near);
  if (near.isFiltered || near.nearest.length <= countSpare(search.limit)) return found;
  const passing = new Set(found.rows.map(({ id }) => id));
  const count = near.nearest.filter((id) => passing.has(id)).length;
  return count >= search.limit ? found : gatherNear(await readNearestThatPass(tx, search));
}

async function lookUpTurns(tx: Tx, search: RecallSearch, wanted: Wanted, scores: LexicalScores): Promise<Found> {
  return { rows: await hydrateTurns(tx, search, wanted, scores), edges: [] };
}

interface Source {
  /** The best `count` by words, or all when there are fewer. */
  rank(count: number): readonly Place[];
  lookUp(wanted: Wanted): Promise<Found>;
  /** All by words that fulfil the filters, best first. */
  rankScope(): Promise<readonly Place[]>;
}

/**
 * Looks up what is wanted anyway, best first, and the best of what shares words, until `limit` of these have passed the
 * filters. Keeps `limit` of either.
 */
async function gather(limit: number, anyway: readonly string[], source: Source): Promise<Found> {
  const count = countSpare(limit);
  const places = source.rank(count);
  if (anyway.length + places.length === 0) return { rows: [], edges: [] };
  let found = await source.lookUp(toWanted(anyway, places));
  const isExhausted = places.length < count;
  if (!isExhausted && countWorded(found) < limit) {
    const more = countWorded(found) * MORE >= limit ? source.rank(count * MORE) : [];
    if (more.length > 0) found = await source.lookUp(toWanted(anyway, more));
    const areAll = more.length > 0 && more.length < count * MORE;
    if (!areAll && countWorded(found) < limit) {
      found = await source.lookUp(toWanted(anyway, (await source.rankScope()).slice(0, limit)));
    }
  }
  const passing = new Set(found.rows.map(({ id }) => id));
  const best = found.rows.toSorted((a, b) => b.lexical - a.lexical).slice(0, limit);
  const kept = new Set([...best.map((row) => row.id), ...anyway.filter((id) => passing.has(id)).slice(0, limit)]);
  return { rows: found.rows.filter((row) => kept.has(row.id)), edges: found.edges };
}

function toWanted(ids: readonly string[], places: readonly Place[]): Wanted {
  return {
    units: places.flatMap((place) => ('unit' in place ? [place.unit] : [])),
    ids: [...ids, ...places.flatMap((place) => ('id' in place ? [place.id] : []))],
  };
}

const countWorded = ({ rows }: Found) => rows.filter((row) => row.lexical > 0).length;

/** By memory, the strongest edge to another candidate. */
function strongestEdges({ rows, edges }: Found): Map<string, number> {
  const ids = new Set(rows.map((row) => row.id));
  const strongest = new Map<string, number>();
  for (const { from_id, to_id, strength } of edges) {
    if (!ids.has(from_id) || !ids.has(to_id)) continue;
    for (const id of [from_id, to_id]) strongest.set(id, Math.max(strongest.get(id) ?? 0, strength));
  }
  return strongest;
}

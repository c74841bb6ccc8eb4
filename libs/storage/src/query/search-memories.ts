import type { MemorySource, MemoryType, QueryFilters } from '@annals/contracts';
import { allOf, type Tx } from '../database/transaction.js';
import { halfvecLiteral } from '../vectors/index.js';
import { loadSources, sourceCondition } from '../memories/read-memories.js';

/** What to look for, inside one user's memories. */
export interface MemorySearch {
  readonly userId: string;
  /** Null: words only. */
  readonly queryVector: Float32Array | null;
  readonly model: string;
  /** Index terms of the question. */
  readonly terms: readonly string[];
  readonly filters: QueryFilters;
  /** Null: every category. */
  readonly categories: readonly string[] | null;
  readonly types: readonly MemoryType[] | null;
  /** RFC 3339: what held then; null for what holds now. */
  readonly asOf: string | null;
  /** RFC 3339: what was known then. */
  readonly knownAt: string | null;
  /** Epoch ms: what ends later holds still. */
  readonly now: number;
  /** Most candidates of each kind, by vector and by words. */
  readonly limit: number;
}

/** A memory that may answer, with what speaks for it. */
export interface SearchCandidate {
  readonly id: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly importance: number;
  readonly confidence: number;
  readonly pinned: boolean;
  /** Epoch ms. */
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly recordedAt: number;
  /** Cosine similarity to the question, −1 to 1; null when it has no vector under the model. */
  readonly cosine: number | null;
  /** BM25 score, 0 without a common term. */
  readonly bm25: number;
}

export interface MemorySearchResult {
  readonly candidates: readonly SearchCandidate[];
  /** The BM25 score that a text holding every term of the question, and nothing else, could reach at most. */
  readonly bm25Ceiling: number;
  /** Revision of the filtered thread, else 0. */
  readonly revision: number;
}

interface CandidateRow {
  id: string;
  category: string;
  type: MemoryType;
  content: string;
  importance: number;
  confidence: number;
  pinned: boolean;
  valid_from: Date;
  valid_to: Date | null;
  recorded_at: Date;
  cosine: number | null;
  bm25: number | null;
  bm25_ceiling: number | null;
}

// BM25's usual constants (Robertson and Zaragoza 2009): k1 saturates repetition, b weighs length.
const K1 = 1.2;
const B = 0.75;

/**
 * Candidates for an answer: the nearest by vector and the best by BM25 over the user's postings, in one statement.
 * The scope is cut first and scanned exactly (performance.md T7): every filter holds before anything is ranked, so a
 * filter never costs an answer. Row-level security holds besides.
 */
export async function searchMemories(tx: Tx, search: MemorySearch): Promise<MemorySearchResult> {
  const { sql, parameters } = buildSearch(search);
  const threadId = search.filters.thread_id;
  const [rows, revisions] = await allOf([
    tx.query<CandidateRow>(sql, parameters),
    threadId === undefined
      ? Promise.resolve([])
      : tx.query<{ rev: string }>('SELECT rev FROM thread_revisions WHERE user_id = $1 AND thread_id = $2', [
          search.userId,
          threadId,
        ]),
  ]);
  return {
    candidates: rows.map(toCandidate),
    bm25Ceiling: rows[0]?.bm25_ceiling ?? 0,
    revision: Number(revisions[0]?.rev ?? 0),
  };
}

/** Where the memories that are answered with were said. */
export function loadAnswerSources(tx: Tx, memoryIds: readonly string[]): Promise<Map<string, MemorySource[]>> {
  return loadSources(tx, memoryIds);
}

function toCandidate(row: CandidateRow): SearchCandidate {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    validFrom: row.valid_from.getTime(),
    validTo: row.valid_to?.getTime() ?? null,
    recordedAt: row.recorded_at.getTime(),
    cosine: row.cosine,
    bm25: row.bm25 ?? 0,
  };
}

function buildSearch(search: MemorySearch): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind = (value: unknown) => `$${parameters.push(value)}`;
  const user = bind(search.userId);
  // In the text, not bound: a plan made once has to know that only a few rows are wanted.
  const limit = String(Math.trunc(search.limit));
  const vector = search.queryVector ? `${bind(halfvecLiteral(search.queryVector))}::halfvec` : null;
  const model = vector ? bind(search.model) : null;
  const terms = search.terms.length > 0 ? bind(search.terms) : null;
  // The scope is read once, with each memory's distance from the question; both kinds of candidates come from it.
  const parts = [
    `scope AS MATERIALIZED (
      SELECT m.id, m.term_count, m.updated_at, ${vector ? `-(e.narrow <#> ${vector})` : 'NULL::float8'} AS cosine
        FROM memories m
        ${vector ? `LEFT JOIN memory_embeddings e ON e.user_id = ${user} AND e.model = ${model} AND e.memory_id = m.id` : ''}
       WHERE ${scopeConditions(search, user, bind)})`,
    ...(terms ? wordedParts(user, terms) : []),
    `scored AS MATERIALIZED (
      SELECT s.id, s.cosine, s.updated_at, ${terms ? 'w.bm25' : 'NULL::float8 AS bm25'}
        FROM scope s ${terms ? 'LEFT JOIN worded w ON w.memory_id = s.id' : ''})`,
  ];
  const best = (condition: string, order: string) =>
    `(SELECT id, cosine, bm25 FROM scored WHERE ${condition} ORDER BY ${order}, id LIMIT ${limit})`;
  const candidates = [
    ...(vector ? [best('cosine IS NOT NULL', 'cosine DESC')] : []),
    ...(terms ? [best('bm25 IS NOT NULL', 'bm25 DESC')] : []),
  ];
  // A question without a single index term and without a vector is answered with what changed last.
  if (candidates.length === 0) candidates.push(best('true', 'updated_at DESC'));
  const sql = `WITH ${parts.join(', ')}
    SELECT m.id, m.category, m.type, m.content, m.importance, m.confidence, m.pinned, m.valid_from, m.valid_to,
           m.recorded_at, c.cosine, c.bm25,
           ${terms ? `(SELECT sum(idf) FROM weight) * ${K1 + 1}` : '0::float8'} AS bm25_ceiling
      FROM (${candidates.join(' UNION ')}) c JOIN memories m ON m.id = c.id`;
  return { sql, parameters };
}

/** BM25 over the user's postings: document frequencies from the postings, mean length from the user's statistics. */
function wordedParts(user: string, terms: string): string[] {
  return [
    `collection AS MATERIALIZED (
      SELECT greatest(memory_count, 1)::float8 AS size,
             greatest(term_total::float8 / greatest(memory_count, 1), 1) AS mean_length
        FROM users WHERE user_id = ${user})`,
    `posting AS MATERIALIZED (
      SELECT term, memory_id, tf FROM memory_terms WHERE user_id = ${user} AND term = ANY (${terms}))`,
    // Superseded rows keep their postings for as_of, so a frequency can pass the number of served memories.
    `weight AS MATERIALIZED (
      SELECT p.term, ln(1 + (greatest(c.size, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
        FROM posting p CROSS JOIN collection c GROUP BY p.term, c.size)`,
    `worded AS (
      SELECT p.memory_id,
             sum(w.idf * p.tf * ${K1 + 1} / (p.tf + ${K1} * (${1 - B} + ${B} * s.term_count / c.mean_length))) AS bm25
        FROM posting p JOIN weight w ON w.term = p.term JOIN scope s ON s.id = p.memory_id CROSS JOIN collection c
       GROUP BY p.memory_id)`,
  ];
}

/** Conditions on `memories m` that hold for everything a question may see. */
function scopeConditions(search: MemorySearch, user: string, bind: (value: unknown) => string): string {
  const { filters } = search;
  const conditions = [`m.user_id = ${user}`, `m.state = 'active'`];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined && value !== null) conditions.push(condition(bind(value)));
  };
  add((p) => `m.category = ANY (${p})`, search.categories);
  add((p) => `m.type = ANY (${p})`, search.types);
  add((p) => `m.pinned = ${p}`, filters.pinned);
  add((p) => `m.importance >= ${p}`, filters.importance_min);
  add((p) => `m.importance <= ${p}`, filters.importance_max);
  add((p) => `m.updated_at > ${p}`, filters.updated_after);
  add((p) => `m.updated_at < ${p}`, filters.updated_before);
  const { thread_id, agent_id, run_id, actor_id, app_id, role } = filters;
  const ofSources = sourceCondition({ thread_id, agent_id, run_id, actor_id, app_id, role }, bind);
  if (ofSources) conditions.push(ofSources);
  conditions.push(...validityConditions(search, bind));
  return conditions.join(' AND ');
}

/** What held at `as_of`, as far as it was known at `known_at` (decision 18); without either, what holds now. */
function validityConditions(search: MemorySearch, bind: (value: unknown) => string): string[] {
  if (search.asOf === null && search.knownAt === null) {
    const now = bind(new Date(search.now).toISOString());
    return ['m.superseded_by IS NULL', `(m.valid_to IS NULL OR m.valid_to > ${now})`];
  }
  const conditions: string[] = [];
  let endKnown = 'true';
  if (search.knownAt !== null) {
    const knownAt = bind(search.knownAt);
    conditions.push(`m.recorded_at <= ${knownAt}`);
    endKnown = `m.closed_at <= ${knownAt}`;
  }
  if (search.asOf !== null) {
    const asOf = bind(search.asOf);
    conditions.push(`m.valid_from <= ${asOf}`);
    conditions.push(`NOT coalesce(m.valid_to <= ${asOf} AND ${endKnown}, false)`);
  } else {
    const seenFrom = bind(search.knownAt);
    conditions.push(`NOT coalesce((m.superseded_by IS NOT NULL OR m.valid_to <= ${seenFrom}) AND ${endKnown}, false)`);
  }
  return conditions;
}

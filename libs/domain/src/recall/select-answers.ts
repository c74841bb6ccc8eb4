import { ANALYSIS_SLICE_UNITS, listTerms } from '../lexical/analyze-text.js';
import { createSliceMeter, cutSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { compareCodePoints } from '../text/unicode.js';
import { countInSlices, cutTurn } from './cut-turn.js';
import { joinSources } from './join-sources.js';
import { keepHolding } from './judge-turn.js';
import { createQuestionMeter } from './measure-questions.js';
import { createRedundancy, type RedundancyScale } from './measure-redundancy.js';
import { NewerStatements } from './newer-statements.js';
import { frameOfAnswer, frameOfQuote, quoteBehind } from './render-answer.js';
import { ReplacingLines } from './replacing-lines.js';
import { type RecallWeights, scoreAnswer, type WeighedCandidate } from './score-answer.js';
import type { SentenceCosts } from './sentence-costs.js';
import type { DroppedCandidate, DropReason, RankedAnswer, RecallCandidate, ScoredCandidate } from './types.js';

export interface SelectOptions {
  /** The text of the query: it decides which sentences of a long turn are returned. */
  readonly query: string;
  /** Epoch ms. */
  readonly now: number;
  readonly weights: RecallWeights;
  /** Scale of the candidates' vectors; null or absent: how similar two are is read from their words. */
  readonly redundancy?: RedundancyScale | null;
  /** Minimum relevance, 0–1 (docs/reference/recall.md#threshold); reranked candidates have a threshold of their own. */
  readonly threshold: number;
  readonly topK: number;
  readonly budgetTokens: number;
  readonly countTokens: (text: string) => number;
  /** Tokens of the budget that are already used, for example by the header. */
  readonly reservedTokens: number;
  /** What may be served beside the answers, and replaces turns that are over as answers do. Default: nothing. */
  readonly beside?: readonly RankedAnswer[];
  /** Tokens of the budget that the words of turns behind facts leave to what is served beside these answers. Default: 0. */
  readonly tokensBeside?: (answers: Pick<SelectedAnswers, 'kept' | 'replacing'>) => number;
  /** Whether what is over in a turn is left out where an answer states what replaced it. */
  readonly leaveOutReplaced: boolean;
  /** One answer as it is returned, without a quotation (`renderAnswer`). */
  readonly renderText: (candidate: RecallCandidate, content: string) => string;
  /** Of earlier queries, with the same `renderText` and `countTokens`. Default: none. */
  readonly costs?: SentenceCosts;
}

export interface SelectedAnswers {
  /** In the order in which they are returned: that of MMR after the first. */
  readonly kept: RankedAnswer[];
  readonly dropped: DroppedCandidate[];
  /** Of `beside`: what has to be served, in the place of what is over. Fits into the budget beside `kept`. */
  readonly replacing: ReadonlySet<RankedAnswer>;
  /** Tokens of the texts in `kept`, without `reservedTokens`. */
  readonly tokens: number;
}

/** Answers are selected among the best `POOL_FACTOR · topK` (docs/reference/recall.md#candidate-pool). */
const POOL_FACTOR = 3;

interface PoolCandidate extends WeighedCandidate {
  /** How much of it the answers so far say, 0–1. */
  redundancy: number;
}

/**
 * Joins facts with their turns, then applies threshold, score, diversity (docs/reference/recall.md#diversity-by-mmr),
 * `topK` and token budget. Every candidate is kept or dropped with a reason; their order does not matter.
 */
export function* selectAnswers(scored: readonly ScoredCandidate[], options: SelectOptions): Sliced<SelectedAnswers> {
  const { joined, dropped } = joinSources(scored);
  const isAbove = ({ rerank, relevance }: ScoredCandidate) => rerank !== null || relevance >= options.threshold;
  const measureQuestions = createQuestionMeter(options.query);
  const weighed: WeighedCandidate[] = [];
  for (const entry of joined.filter(isAbove)) {
    weighed.push(scoreAnswer(entry, options.now, options.weights, yield* measureQuestions(entry)));
  }
  const newer = new NewerStatements(weighed.map(({ entry }) => entry.candidate));
  const picked = yield* pickAnswers(newer.rankBelow(weighed).toSorted(compareRank), newer, options);
  return {
    ...picked,
    dropped: [...dropped, ...joined.filter((entry) => !isAbove(entry)).map(dropFor('threshold')), ...picked.dropped],
  };
}

function* pickAnswers(
  ranked: readonly WeighedCandidate[],
  newer: NewerStatements,
  options: SelectOptions,
): Sliced<SelectedAnswers> {
  const { topK, weights } = options;
  const measureRedundancy = createRedundancy(options.redundancy ?? null);
  const meter = createSliceMeter();
  const remaining: PoolCandidate[] = ranked.map((candidate) => ({ ...candidate, redundancy: 0 }));
  const kept: RankedAnswer[] = [];
  const picked: WeighedCandidate[] = [];
  const dropped: DroppedCandidate[] = [];
  const budget = options.budgetTokens - options.reservedTokens;
  let tokens = 0;
  const keptCandidates = new Set<RecallCandidate>();
  const replacing = new ReplacingLines(options.beside ?? []);
  const waiting = new Set(ranked.map(({ entry }) => entry.candidate));
  while (remaining.length > 0 && kept.length < topK) {
    const pool = remaining.slice(0, POOL_FACTOR * topK);
    const before = picked.map(({ entry }) => entry);
    for (const candidate of pool) candidate.redundancy = yield* measureRedundancy(candidate.entry, before);
    // What is over comes after what replaced it.
    const mayCome = ({ entry }: PoolCandidate) => {
      const newest = newer.of(entry.candidate);
      return newest.some((other) => keptCandidates.has(other)) || !newest.some((other) => waiting.has(other));
    };
    const [next] = remaining.splice(findNext(pool, weights.mmrLambda, mayCome), 1);
    const { candidate } = next!.entry;
    waiting.delete(candidate);
    const isReplaced = () =>
      newer.of(candidate).some((other) => keptCandidates.has(other)) || replacing.replace(candidate, budget - tokens);
    const shown = options.leaveOutReplaced && isReplaced() ? keepHolding(candidate) : candidate;
    if (shown === null) {
      dropped.push(dropFor('superseded')(next!.entry));
      continue;
    }
    yield* meter(next!.entry.candidate.content.length);
    const shownEntry = { ...next!.entry, candidate: shown };
    const shownNext = { ...next!, entry: shownEntry };
    const answer = yield* renderWithin(shownNext, options, budget - tokens - replacing.tokens);
    if (answer === null) {
      dropped.push(dropFor('budget')(next!.entry));
      continue;
    }
    kept.push(answer);
    replacing.drop(candidate);
    picked.push(shownNext);
    keptCandidates.add(candidate);
    tokens += answer.tokens;
  }
  const spare = budget - (options.tokensBeside?.({ kept, replacing: replacing.lines }) ?? 0);
  for (const [index, { entry }] of picked.entries()) {
    if (entry.needsTurn) continue;
    const { tokens: before } = kept[index]!;
    kept[index] = yield* addTurn(kept[index]!, entry.turn, options, spare - tokens);
    tokens += kept[index].tokens - before;
  }
  const worst = Math.min(...kept.map(({ score }) => score));
  dropped.push(
    ...remaining.map(({ entry, score }) => dropFor(kept.length > 0 && score > worst ? 'diversity' : 'top_k')(entry)),
  );
  return { kept, dropped, replacing: replacing.lines, tokens };
}

/** The index of the highest `λ · score - (1 - λ) · redundancy` of those that may come; of equal ones the first in rank. */
function findNext(
  remaining: readonly PoolCandidate[],
  lambda: number,
  mayCome: (candidate: PoolCandidate) => boolean,
): number {
  let best = 0;
  let bestValue = -Infinity;
  remaining.forEach((candidate, index) => {
    const { score, redundancy } = candidate;
    if (!mayCome(candidate)) return;
    const value = lambda * score - (1 - lambda) * redundancy;
    if (value <= bestValue) return;
    best = index;
    bestValue = value;
  });
  return best;
}

/** The answer in at most `tokens`; a turn that is too long is cut, anything else that is too long is left out. */
function* renderWithin(
  { entry: { candidate, turn, needsTurn }, score, parts }: WeighedCandidate,
  options: SelectOptions,
  tokens: number,
): Sliced<RankedAnswer | null> {
  const { query, weights, countTokens, renderText } = options;
  const isTurn = candidate.kind === 'turn';
  const cut = yield* cutTurn(candidate.content, query, {
    maxTokens: isTurn ? Math.min(weights.turnTokens, tokens) : tokens,
    countTokens: (content) => countTokens(renderText(candidate, content)),
    frame: frameOfAnswer(candidate),
    ...(options.costs && { costs: options.costs }),
  });
  if (cut === null || (cut.isCut && !isTurn)) return null;
  const text = renderText(candidate, cut.content);
  const answer = { candidate, score, parts, ...cut, text, tokens: yield* countInSlices(text, countTokens) };
  return needsTurn ? yield* addTurn(answer, turn, options, tokens - answer.tokens) : answer;
}

/** The answer with as many of the turn's words behind its fact as fit into `spareTokens`. */
function* addTurn(
  answer: RankedAnswer,
  turn: RecallCandidate | null,
  { query, weights, countTokens, costs }: SelectOptions,
  spareTokens: number,
): Sliced<RankedAnswer> {
  const { content, tokens } = answer;
  if (turn === null || spareTokens <= 0 || (yield* saysNothingMore(turn.content, content))) return answer;
  const render = (words: string) => quoteBehind(answer.text, { ...turn, content: words });
  const cut = yield* cutTurn(turn.content, query, {
    maxTokens: tokens + Math.min(weights.turnTokens, spareTokens),
    countTokens: (words) => countTokens(render(words)),
    frame: frameOfQuote(answer.text, turn),
    ...(costs && { costs }),
  });
  if (cut === null) return answer;
  const text = render(cut.content);
  return { ...answer, isCut: cut.isCut, text, tokens: yield* countInSlices(text, countTokens) };
}

/** Every word of the turn is in the fact already. */
function* saysNothingMore(turn: string, fact: string): Sliced<boolean> {
  const known = new Set(listTerms(fact));
  for (const slice of cutSlices(turn, ANALYSIS_SLICE_UNITS)) {
    if (listTerms(slice).some((term) => !known.has(term))) return false;
    if (turn.length > ANALYSIS_SLICE_UNITS) yield;
  }
  return true;
}

function dropFor(why: DropReason): (entry: ScoredCandidate) => DroppedCandidate {
  return ({ candidate: { id, kind } }) => ({ id, kind, why });
}

/** Equal scores: the more important, then the newer, then by id, so that the order is deterministic. */
function compareRank(a: WeighedCandidate, b: WeighedCandidate): number {
  const [one, other] = [a.entry.candidate, b.entry.candidate];
  return (
    b.score - a.score ||
    other.importance - one.importance ||
    other.saidAt - one.saidAt ||
    compareCodePoints(one.id, other.id)
  );
}

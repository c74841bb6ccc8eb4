import { resolvePersons, splitSentences } from '@annals/english';
import { ANALYSIS_SLICE_UNITS, listTerms } from '../lexical/analyze-text.js';
import { CONCEPTS } from '../lexical/concepts.js';
import { createSliceMeter, workInSlices } from '../text/cut-slices.js';
import type { Sliced } from '../text/sliced.js';
import { keyOfCosts, NO_COSTS, type SentenceCosts, UNKNOWN_COST } from './sentence-costs.js';
import type { RankedAnswer } from './types.js';

const GAP = '…';

/** In ordinary text: what is longer than its limit in tokens allows is not tokenised, to save CPU. */
const MAX_TOKEN_LENGTH = 20;
/** Maximum sentences that are considered, best first; no realistic token limit fits more. */
const MAX_SENTENCES = 100;

export interface CutOptions {
  readonly maxTokens: number;
  /** Of a text as it will be returned. */
  readonly countTokens: (content: string) => number;
  /** What `countTokens` counts beside the content: it may count the same content differently only where this differs. */
  readonly frame?: readonly unknown[];
  /** Default: none are known. */
  readonly costs?: SentenceCosts;
}

/**
 * Cuts a long turn to its sentences that match the query best, in their order, with "…" where something is missing, in
 * at most `maxTokens`; a single long sentence to its beginning. A sentence scores by the query's words in it, words
 * that are rare in this turn more, plus a share of its neighbours' scores. Null when nothing fits.
 */
export function* cutTurn(
  content: string,
  query: string,
  options: CutOptions,
): Sliced<Pick<RankedAnswer, 'content' | 'isCut'> | null> {
  const { maxTokens, countTokens } = options;
  const mayFit = content.length <= maxTokens * MAX_TOKEN_LENGTH;
  if (mayFit && (yield* countInSlices(content, countTokens)) <= maxTokens) return { content, isCut: false };
  const sentences: string[] = [];
  const addSentences = (slice: string) => splitSentences(slice).forEach((sentence) => sentences.push(sentence));
  yield* workInSlices(content, addSentences, ANALYSIS_SLICE_UNITS);
  const ranking = yield* rankSentences(sentences, query);
  const costs = (options.costs ?? NO_COSTS).of(keyOfCosts(options.frame ?? [], content), sentences.length);
  const kept = yield* pickSentences(sentences, { ranking, costs }, options);
  if (kept.length > 0) return { content: joinSentences(sentences, kept), isCut: true };
  const [best] = ranking;
  const start = best === undefined ? '' : cutSentence(sentences[best]!, maxTokens, countTokens);
  return start === '' ? null : { content: start, isCut: true };
}

/** The tokens of a text, which are counted slice by slice if it has several. */
export function* countInSlices(text: string, countTokens: CutOptions['countTokens']): Sliced<number> {
  if (text.length <= ANALYSIS_SLICE_UNITS) return countTokens(text);
  const frame = countTokens('');
  let tokens = frame;
  const addTokens = (slice: string) => (tokens += countTokens(slice) - frame);
  yield* workInSlices(text, addTokens, ANALYSIS_SLICE_UNITS);
  return tokens;
}

/** Indexes of the best sentences that fit together, best first. */
function* pickSentences(
  sentences: readonly string[],
  { ranking, costs }: { readonly ranking: readonly number[]; readonly costs: Int32Array },
  { maxTokens, countTokens }: CutOptions,
): Sliced<number[]> {
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  const frame = countTokens('');
  const kept: number[] = [];
  let used = frame;
  for (const position of ranking) {
    const sentence = sentences[position]!;
    if (sentence.length > maxTokens * MAX_TOKEN_LENGTH) continue;
    if (costs[position] === UNKNOWN_COST) {
      yield* meter(sentence.length);
      // With both gap marks that it may need; what consecutive sentences need less is not used.
      costs[position] = countTokens(`${GAP} ${sentence} ${GAP}`) - frame;
    }
    const cost = costs[position]!;
    if (used + cost > maxTokens) continue;
    kept.push(position);
    used += cost;
  }
  while (kept.length > 0) {
    const joined = joinSentences(sentences, kept);
    yield* meter(joined.length);
    if ((yield* countInSlices(joined, countTokens)) <= maxTokens) break;
    kept.pop();
  }
  return kept;
}

function* rankSentences(sentences: readonly string[], query: string): Sliced<number[]> {
  const scores = yield* scoreSentences(sentences, query);
  return [...sentences.keys()].toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, MAX_SENTENCES);
}

function* scoreSentences(sentences: readonly string[], query: string): Sliced<number[]> {
  const meter = createSliceMeter(ANALYSIS_SLICE_UNITS);
  const asked = listTerms(resolvePersons(query));
  const queryTerms = [...new Set(asked.flatMap((term) => [term, ...(CONCEPTS.ofQuery.get(term) ?? [])]))];
  const ranks = new Map(queryTerms.map((term, rank) => [term, rank]));
  const found: string[][] = [];
  for (const sentence of sentences) {
    yield* meter(sentence.length);
    const terms = new Set<string>();
    const addAsked = (term: string) => ranks.has(term) && terms.add(term);
    for (const term of listTerms(sentence)) {
      addAsked(term);
      CONCEPTS.ofText.get(term)?.forEach(addAsked);
    }
    // In the order of the query: sums of the same terms are equal, whatever their order in the sentence.
    found.push([...terms].toSorted((a, b) => ranks.get(a)! - ranks.get(b)!));
  }
  const counts = new Map<string, number>();
  for (const term of found.flat()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const own = found.map((terms) =>
    terms.reduce((sum, term) => sum + Math.log1p(sentences.length / counts.get(term)!), 0),
  );
  return own.map((score, position) => score + (own[position - 1] ?? 0) / 3 + (own[position + 1] ?? 0) / 6);
}

function joinSentences(sentences: readonly string[], kept: readonly number[]): string {
  const positions = kept.toSorted((a, b) => a - b);
  const pieces = positions.map((position, index) => {
    const isConsecutive = index === 0 ? position === 0 : positions[index - 1] === position - 1;
    return isConsecutive ? sentences[position]! : `${GAP} ${sentences[position]!}`;
  });
  return pieces.join(' ') + (positions.at(-1) === sentences.length - 1 ? '' : ` ${GAP}`);
}

/** As many of the first words as fit, by binary search. */
function cutSentence(sentence: string, maxTokens: number, countTokens: (content: string) => number): string {
  const words = sentence.slice(0, maxTokens * MAX_TOKEN_LENGTH).split(/\s+/);
  const begin = (count: number) => `${words.slice(0, count).join(' ')} ${GAP}`;
  let [fits, tooMany] = [0, words.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (countTokens(begin(middle)) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  return fits === 0 ? '' : begin(fits);
}

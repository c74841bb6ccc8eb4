import { analyzeTerms } from '@annals/english';
import type { Question } from './data-set.ts';

/** One returned text and its source messages in the data set. */
export interface ReturnedText {
  readonly messageIds: readonly string[];
  readonly text: string;
}

const DEPTHS = [5, 10, 20] as const;
const BUDGETS = [500, 1_000] as const;

/** The results for one question: at each depth, and within each token budget. */
export interface Answers {
  readonly atDepth: Readonly<Record<(typeof DEPTHS)[number], readonly ReturnedText[]>>;
  readonly withinTokens: Readonly<Record<(typeof BUDGETS)[number], readonly ReturnedText[]>>;
}

/** Measures of one question, each 0–1; null where it cannot be measured. */
export type Scores = Readonly<Record<Measure, number | null>>;

export const MEASURES = [
  'recall@5',
  'recall@10',
  'recall@20',
  'hit@5',
  'hit@10',
  'hit@20',
  'recall in 500 tokens',
  'recall in 1000 tokens',
  'stems of the answer in 10',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Scores by distinct source messages: two texts from one message count once. */
export function scoreQuestion({ evidence, answer }: Question, answers: Answers): Scores {
  const recall = (returned: readonly ReturnedText[]) => countFound(evidence, returned) / evidence.length;
  const hit = (returned: readonly ReturnedText[]) => (countFound(evidence, returned) > 0 ? 1 : 0);
  const { atDepth, withinTokens } = answers;
  return {
    'recall@5': recall(atDepth[5]),
    'recall@10': recall(atDepth[10]),
    'recall@20': recall(atDepth[20]),
    'hit@5': hit(atDepth[5]),
    'hit@10': hit(atDepth[10]),
    'hit@20': hit(atDepth[20]),
    'recall in 500 tokens': recall(withinTokens[500]),
    'recall in 1000 tokens': recall(withinTokens[1_000]),
    'stems of the answer in 10': shareOfStems(answer, atDepth[10]),
  };
}

function countFound(evidence: readonly string[], returned: readonly ReturnedText[]): number {
  const found = new Set(returned.flatMap(({ messageIds }) => messageIds));
  return evidence.filter((id) => found.has(id)).length;
}

/** The share of the answer's stems in the returned texts; null for an answer without words. */
function shareOfStems(answer: string | null, returned: readonly ReturnedText[]): number | null {
  const wanted = [...analyzeTerms(answer ?? '').terms.keys()];
  if (wanted.length === 0) return null;
  const got = analyzeTerms(returned.map(({ text }) => text).join('\n')).terms;
  return wanted.filter((stem) => got.has(stem)).length / wanted.length;
}

/** The mean of the values that are not null; null if there are none. */
export function average(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

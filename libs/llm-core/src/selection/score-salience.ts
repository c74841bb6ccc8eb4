import type { SalienceConfig } from './salience-config.js';

const EMOTION_KEYWORDS: readonly { readonly score: number; readonly words: RegExp }[] = [
  { score: 1, words: wholeWords(['love', 'hate', 'amazing', 'terrible', 'excited', 'devastated']) },
  { score: 0.5, words: wholeWords(['happy', 'sad', 'worried', 'pleased', 'frustrated']) },
  { score: 0.2, words: wholeWords(['okay', 'fine', 'good', 'bad']) },
];

const EDGE = 0.2;
const EDGE_BOOST = 0.2;

/** Inputs of the salience of one message; `index` is its index among `total` messages. */
export interface SalienceFactors {
  readonly content: string;
  readonly deltaMagnitude: number;
  readonly index: number;
  readonly total: number;
}

/** weightDelta · delta + weightEmotion · emotion + position (docs/reference/extraction.md#salience-score). */
export function scoreSalience(
  { content, deltaMagnitude, index, total }: SalienceFactors,
  { weightDelta, weightEmotion }: Pick<SalienceConfig, 'weightDelta' | 'weightEmotion'>,
): number {
  return weightDelta * deltaMagnitude + weightEmotion * scoreEmotionKeywords(content) + boostPosition(index, total);
}

/**
 * Score of the strongest emotion word, 0 to 1 (docs/reference/extraction.md#salience-score). Matches whole words only,
 * so that "badge" does not count as "bad" or "glove" as "love".
 */
export function scoreEmotionKeywords(content: string): number {
  return EMOTION_KEYWORDS.find(({ words }) => words.test(content))?.score ?? 0;
}

/** 0.2 for the first and the last fifth of a conversation, otherwise 0. */
export function boostPosition(index: number, total: number): number {
  const position = index / total;
  return position < EDGE || position > 1 - EDGE ? EDGE_BOOST : 0;
}

function wholeWords(words: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
}

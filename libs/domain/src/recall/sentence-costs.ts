import { hash } from 'node:crypto';

/** Of a sentence whose tokens were not counted yet. */
export const UNKNOWN_COST = -0x8000_0000;

/**
 * What the sentences of a text cost in tokens, each by itself in one form of an answer: it is the same for every query,
 * and most of the time of cutting a long turn.
 */
export interface SentenceCosts {
  /** An array of as many costs, `UNKNOWN_COST` at first, which whoever asks fills; the same one for the same key. */
  of(key: string, sentences: number): Int32Array;
}

/** For one cut of a text. */
export const NO_COSTS: SentenceCosts = {
  of: (_key, sentences) => new Int32Array(sentences).fill(UNKNOWN_COST),
};

/** The key of a text in a form, which holds no words of it. `frame`: all that the form is made from but the text. */
export function keyOfCosts(frame: readonly unknown[], content: string): string {
  return hash('sha256', JSON.stringify([frame, content]), 'base64url');
}

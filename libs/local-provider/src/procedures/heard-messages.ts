import { collectStems, listStems } from './describe-goal.js';
import { readsAsEnglish } from './reads-as-english.js';

/** In UTF-16 units: a longer message is not read, and may have dictated anything. */
const MAX_HEARD_UNITS = 8_192;

/** A message that somebody has written who is no agent, to tell what agents only repeat. */
export interface HeardMessage {
  /** In lower case. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly isTooLong: boolean;
}

export function hear(content: string): HeardMessage {
  if (content.length > MAX_HEARD_UNITS) return { text: '', words: new Set(), isTooLong: true };
  return { text: content.toLowerCase(), words: collectStems(content), isTooLong: false };
}

/** Whether one of the messages has all words of a text. */
export function isDictated(heard: readonly HeardMessage[], text: string): boolean {
  const stems = listStems(text);
  return heard.some(({ words }) => stems.every((one) => words.has(one)));
}

/** Whether what a message asks for can be compared with what agents report in words of these stems. */
export function isComparable({ text, isTooLong }: HeardMessage, words: ReadonlySet<string>): boolean {
  return !isTooLong && readsAsEnglish(text, words);
}

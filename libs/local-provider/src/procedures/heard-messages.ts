import { collectStems, listStems } from './describe-goal.js';

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

/** Whether one of the messages has all words of a text, or was too long to be read. */
export function isDictated(heard: readonly HeardMessage[], text: string): boolean {
  const stems = listStems(text);
  return heard.some(({ words, isTooLong }) => isTooLong || stems.every((one) => words.has(one)));
}

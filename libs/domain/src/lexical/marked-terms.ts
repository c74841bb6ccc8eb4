import { wordsOf } from '../text/split-words.js';

// Words are letters and digits, so no word of a text is ever taken for one of these.

/** A unit that names a time: what "when" asks for. */
export const TIME_TERM = '#time';

/** Who said it. */
export function speakerTerm(word: string): string {
  return `by:${word}`;
}

/** A day of any year. `month` counts from 0. */
export function dayTerm(month: number, day: number): string {
  return `@${month + 1}-${day}`;
}

/** A name of several words is known by each. */
export function listSpeakerTerms(speaker: string): string[] {
  return [...new Set(wordsOf(speaker))].map(speakerTerm);
}

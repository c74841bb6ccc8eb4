import { splitWords } from '../text/split-words.js';

// Words are letters and digits, so no word of a text is ever taken for one of these.

/** A unit that names a time: what "when" asks for. */
export const TIME_TERM = '#time';

/** What the person said, and what the assistant did. */
export const ROLE_TERMS = { user: '#user', assistant: '#assistant' } as const;

/** Who said it. */
export function speakerTerm(word: string): string {
  return `by:${word}`;
}

/** A day of any year. `month` counts from 0. */
export function dayTerm(month: number, day: number): string {
  return `@${month + 1}-${day}`;
}

const NAME_BEFORE_COLON = /^\s*(\p{Lu}[\p{L}\p{M}.'’ -]{0,40}):\s/u;

/** A name of several words is known by each. Without a name, chats that were copied tell it: "Ana: hello". */
export function listSpeakerTerms(speaker: string | null, content: string): string[] {
  const name = speaker ?? NAME_BEFORE_COLON.exec(content)?.[1] ?? '';
  return [...new Set(splitWords(name))].map(speakerTerm);
}

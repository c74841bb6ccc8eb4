import { splitWords } from '@annals/english';

// Words are letters and digits, so no word of a text ever equals one of these.

/** Marks a unit that names a time, for queries with "when". */
export const TIME_TERM = '#time';

export const ROLE_TERMS = { user: '#user', assistant: '#assistant' } as const;

export function speakerTerm(word: string): string {
  return `by:${word}`;
}

/** The day of a time (epoch ms or ISO day), of any year. */
export function dayTerm(time: number | string): string {
  const date = new Date(time);
  return `@${date.getUTCMonth() + 1}-${date.getUTCDate()}`;
}

const NAME_BEFORE_COLON = /^\s*(\p{Lu}[\p{L}\p{M}.'’ -]{0,40}):\s/u;

/** One term for each word of the name. Without a name, it is taken from copied chats: "Ana: hello". */
export function listSpeakerTerms(speaker: string | null, content: string): string[] {
  const name = speaker ?? NAME_BEFORE_COLON.exec(content)?.[1] ?? '';
  return [...new Set(splitWords(name))].map(speakerTerm);
}

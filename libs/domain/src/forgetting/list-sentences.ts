import { splitSentences } from '@annals/english';
import type { Span } from './subject.js';

/** The places of a text's sentences, in order. */
export function listSentences(text: string): Span[] {
  let from = 0;
  return splitSentences(text).map((sentence) => {
    const start = text.indexOf(sentence, from);
    from = start + sentence.length;
    return { start, end: from };
  });
}

/** Whether two places of a text overlap. */
export function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/** What stays of a text without some of its sentences, and where these were. */
export interface CutText {
  /** Trimmed; empty if it has neither letters nor digits. */
  readonly rest: string;
  readonly cut: readonly Span[];
}

/** The text without the sentences that overlap any of these places. */
export function cutSentences(text: string, places: readonly Span[]): CutText {
  const sentences = listSentences(text);
  const cut = sentences.filter((sentence) => places.some((place) => overlap(sentence, place)));
  const kept = sentences.filter((sentence) => !cut.includes(sentence));
  const rest = kept.map(({ start, end }) => text.slice(start, end)).join(' ');
  return { rest: /[\p{L}\p{N}]/u.test(rest) ? rest : '', cut };
}

import type { CountryCode } from 'libphonenumber-js';
import type { PiiType } from '../pii-types.js';

/**
 * Realistic texts of one type. Every value is invented; numbers have valid check digits where their kind has some.
 * `⟦…⟧` marks what has to be redacted. "·" inside of a value is removed before use: it keeps scanners of repositories
 * from taking an invented key for a real one. A text may name the country of its tenant; without one it is `US`.
 */
export interface CorpusGroup {
  readonly type: PiiType;
  readonly positives: readonly CorpusText[];
  /** Texts in which nothing may be redacted, most of them look-alikes of the type. */
  readonly negatives: readonly CorpusText[];
}

export type CorpusText = string | readonly [country: CountryCode, text: string];

export interface CorpusCase {
  readonly text: string;
  readonly country: CountryCode;
  /** Ranges of `text` that have to be redacted; none for a negative case. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export function readCorpusText(entry: CorpusText): CorpusCase {
  const [country, marked] = typeof entry === 'string' ? (['US', entry] as const) : entry;
  const marks: [number, number][] = [];
  let text = '';
  for (const part of marked.replaceAll('·', '').split(/(⟦[^⟧]*⟧)/)) {
    if (!part.startsWith('⟦')) text += part;
    else {
      marks.push([text.length, text.length + part.length - 2]);
      text += part.slice(1, -1);
    }
  }
  return { text, country, marks };
}

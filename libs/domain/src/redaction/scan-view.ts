import type { ScanText } from './scan-text.js';

/**
 * A part of a scan text in which candidates are looked for. Whether there is a candidate at a position depends on at
 * most `UNITS_BEFORE` units before it and `UNITS_AFTER` after it, so the result is the same wherever a text is cut.
 */
export interface ScanView {
  /** The part with its surroundings. Indexes below count in this string. */
  readonly text: string;
  /** Candidates begin (or, if they grow in both directions, have their sign) in `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** The position of `text` in the whole scan text. */
  readonly offset: number;
  /** The whole scan text, for the few things that are longer than the surroundings: tokens and private keys. */
  readonly whole: string;
}

/** At least the longest beginning of an e-mail address, and the longest context that is read. */
export const UNITS_BEFORE = 256;
/** At least the longest candidate that is matched by a pattern. */
export const UNITS_AFTER = 768;

export function viewOf({ text }: ScanText, from: number, to: number): ScanView {
  const offset = Math.max(0, from - UNITS_BEFORE);
  return { text: text.slice(offset, to + UNITS_AFTER), from: from - offset, to: to - offset, offset, whole: text };
}

/**
 * Matches that begin in the view's range, also those inside of other matches: so that no match depends on where a
 * previous one ended. Patterns begin with a look-behind, which keeps them from starting everywhere.
 */
export function matchesIn(view: ScanView, pattern: RegExp, text: string = view.text): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = view.from;
  for (let match = pattern.exec(text); match && match.index < view.to; match = pattern.exec(text)) {
    matches.push(match);
    pattern.lastIndex = match.index + 1;
  }
  return matches;
}

import { foldWord, mayContain } from './fold-word.js';

/** A word or number of a text, with its place. */
export interface Token {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  /** What stands between the token before and this one. */
  readonly before: string;
  /** Its normal forms (`foldWord`). */
  readonly forms: readonly string[];
  /** Begins with a capital letter, or with a letter of a script that has none. */
  readonly isName: boolean;
  readonly hasDigit: boolean;
  /** The first of its sentence, where a capital letter means nothing. */
  readonly isFirst: boolean;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’ʼ][\p{L}\p{M}]+)*/gu;
const NAME = /^[\p{Lu}\p{Lt}\p{Lo}]/u;
const SENTENCE_END = /[.!?…。！？\n]["'”’)\]]*\s*$/u;
const DIGIT = /\p{N}/u;

export function readTokens(text: string): Token[] {
  let end = 0;
  return Array.from(text.matchAll(TOKEN), ({ 0: raw, index }): Token => {
    const before = text.slice(end, index);
    const isFirst = index === 0 || end === 0 || SENTENCE_END.test(before);
    end = index + raw.length;
    const forms = foldWord(raw);
    return { start: index, end, raw, before, forms, isName: NAME.test(raw), hasDigit: DIGIT.test(raw), isFirst };
  });
}

/** The words of a text; none when it surely does not have this one. */
export function readTokensWith(text: string, word: Pick<Token, 'forms'>): Token[] {
  return mayContain(text, word.forms) ? readTokens(text) : [];
}

/** Whether two words have a normal form in common. */
export function isSameWord(one: Pick<Token, 'forms'>, other: Pick<Token, 'forms'>): boolean {
  return one.forms.some((form) => other.forms.includes(form));
}

/** Whether a word is joined to the one before it by a hyphen. */
export function isHyphenated(token: Pick<Token, 'before'> | undefined): boolean {
  return token !== undefined && /^[-‐‑–]$/u.test(token.before);
}

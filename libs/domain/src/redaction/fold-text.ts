import { HIDDEN_CHARACTER, LINE_BREAK } from '../text/remove-hidden.js';

/**
 * Runs of what is removed from a served text, also of joiners that it keeps: a value that is whole without them must not
 * be stored. Of a CR LF, the CR.
 */
export const IGNORABLE = new RegExp(`(?:\\r(?=\\n)|[${HIDDEN_CHARACTER}--[\\r\\v\\f\\x1c-\\x1e\\x85]])+`, 'gv');
const FOLDABLE =
  /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u2010-\u2015\u2212\uff0d\u00a0\u2000-\u200a\u202f\u3000\uff20\uff0e\uff1a\uff08\uff09\uff0b]/g;
const DIGIT_ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];
const FOLDED_SIGNS = new Map([
  ['\uff20', '@'],
  ['\uff0e', '.'],
  ['\uff1a', ':'],
  ['\uff08', '('],
  ['\uff09', ')'],
  ['\uff0b', '+'],
  ['\uff0d', '-'],
  ['\u2212', '-'],
]);

/** Removes invisible signs. */
export function removeIgnorable(text: string): string {
  return text.replace(IGNORABLE, '');
}

/** Digits, dashes, spaces and line breaks of all kinds in their ASCII form. Without CR LF, each UTF-16 unit becomes one unit. */
export function foldSigns(text: string): string {
  return text.replace(FOLDABLE, foldCharacter).replace(LINE_BREAK, '\n');
}

function foldCharacter(character: string): string {
  const sign = FOLDED_SIGNS.get(character);
  if (sign) return sign;
  const code = character.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((start) => code >= start && code <= start + 9);
  if (zero !== undefined) return String(code - zero);
  return code >= 0x2010 && code <= 0x2015 ? '-' : ' ';
}

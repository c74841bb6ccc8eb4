// Invisible signs: soft hyphen, zero-width and directional signs, byte order mark.
export const IGNORABLE_UNIT = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const IGNORABLE = new RegExp(IGNORABLE_UNIT, 'g');
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

/** Digits, dashes and spaces of all scripts in their ASCII form. Each UTF-16 unit becomes one unit. */
export function foldSigns(text: string): string {
  return text.replace(FOLDABLE, foldCharacter);
}

function foldCharacter(character: string): string {
  const sign = FOLDED_SIGNS.get(character);
  if (sign) return sign;
  const code = character.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((start) => code >= start && code <= start + 9);
  if (zero !== undefined) return String(code - zero);
  return code >= 0x2010 && code <= 0x2015 ? '-' : ' ';
}

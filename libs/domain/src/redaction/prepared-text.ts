import { PLACEHOLDERS } from './pii-types.js';

export interface PreparedText {
  /** The text with digits, dashes and spaces of all scripts in their ASCII form, and existing placeholders masked. */
  readonly scanText: string;
  /** The position in the original text of a position in `scanText`. */
  readonly toOriginal: (offset: number) => number;
  readonly digitCount: number;
  readonly dotCount: number;
  readonly colonCount: number;
  readonly hasAt: boolean;
  readonly hasDash: boolean;
}

// U+E000 is neither letter nor digit nor separator: no pattern matches across a placeholder.
const PLACEHOLDER_MASK = '\ue000';
const NON_ASCII = /[^\u0000-\u007f]/;
const IGNORABLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
// Each UTF-16 unit becomes one unit, so positions do not change.
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

/** Prepares `text` for detection in one cheap pass; only text beyond ASCII costs more. */
export function prepareText(text: string): PreparedText {
  const { scanText, toOriginal } = NON_ASCII.test(text) ? foldText(text) : { scanText: text, toOriginal: sameOffset };
  const masked = scanText.includes('[redacted ') ? maskPlaceholders(scanText) : scanText;
  return { scanText: masked, toOriginal, ...countSigns(masked) };
}

function sameOffset(offset: number): number {
  return offset;
}

function foldText(text: string): Pick<PreparedText, 'scanText' | 'toOriginal'> {
  if (!IGNORABLE.test(text)) return { scanText: text.replace(FOLDABLE, foldCharacter), toOriginal: sameOffset };
  const originalOffsets: number[] = [];
  let visible = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (IGNORABLE.test(unit)) continue;
    originalOffsets.push(index);
    visible += unit;
  }
  return {
    scanText: visible.replace(FOLDABLE, foldCharacter),
    toOriginal: (offset) => originalOffsets[offset] ?? text.length,
  };
}

function foldCharacter(character: string): string {
  const sign = FOLDED_SIGNS.get(character);
  if (sign) return sign;
  const code = character.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((start) => code >= start && code <= start + 9);
  if (zero !== undefined) return String(code - zero);
  return code >= 0x2010 && code <= 0x2015 ? '-' : ' ';
}

function maskPlaceholders(scanText: string): string {
  return Object.values(PLACEHOLDERS).reduce(
    (text, placeholder) => text.replaceAll(placeholder, PLACEHOLDER_MASK.repeat(placeholder.length)),
    scanText,
  );
}

function countSigns(text: string): Pick<PreparedText, 'digitCount' | 'dotCount' | 'colonCount' | 'hasAt' | 'hasDash'> {
  let [digitCount, dotCount, colonCount] = [0, 0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x3a || unit < 0x2e) continue;
    if (unit === 0x2e) dotCount += 1;
    else if (unit === 0x3a) colonCount += 1;
    else if (unit !== 0x2f) digitCount += 1;
  }
  return { digitCount, dotCount, colonCount, hasAt: text.includes('@'), hasDash: text.includes('-') };
}

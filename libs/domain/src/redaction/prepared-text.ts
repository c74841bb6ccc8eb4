import { foldSigns } from './fold-text.js';
import { PLACEHOLDER_PATTERN } from './placeholders.js';

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
/** Prepares `text` for detection in one cheap pass; only text beyond ASCII costs more. */
export function prepareText(text: string): PreparedText {
  const { scanText, toOriginal } = NON_ASCII.test(text) ? foldText(text) : { scanText: text, toOriginal: sameOffset };
  const masked = scanText.includes('[') ? maskPlaceholders(scanText) : scanText;
  return { scanText: masked, toOriginal, ...countSigns(masked) };
}

function sameOffset(offset: number): number {
  return offset;
}

function foldText(text: string): Pick<PreparedText, 'scanText' | 'toOriginal'> {
  if (!IGNORABLE.test(text)) return { scanText: foldSigns(text), toOriginal: sameOffset };
  const originalOffsets: number[] = [];
  let visible = '';
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (IGNORABLE.test(unit)) continue;
    originalOffsets.push(index);
    visible += unit;
  }
  return {
    scanText: foldSigns(visible),
    toOriginal: (offset) => originalOffsets[offset] ?? text.length,
  };
}

function maskPlaceholders(scanText: string): string {
  return scanText.replaceAll(PLACEHOLDER_PATTERN, ({ length }) => PLACEHOLDER_MASK.repeat(length));
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

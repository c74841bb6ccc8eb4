import { isLabelledAsIdentifier, contextAround } from '../../cues.js';
import type { PiiSpan } from '../../pii-types.js';
import { LETTERED_ID_PATTERNS, NATIONAL_ID_PATTERNS } from './patterns.js';

const RANK = 7;
// Six digits in a row or in pairs (NINO, DNI, NIE), or two between letters (codice fiscale).
const LETTERED_ID_SIGN = /\d{2} ?\d{2} ?\d{2}|[a-z]\d{2}[a-z]/i;
const SEPARATOR = /[ .+-]/g;

/** National identity, insurance and tax numbers of eleven countries; see `NATIONAL_ID_PATTERNS`. Without a window of seven digits only the lettered ones. */
export function findNationalIds(scanText: string, hasNumberWindow: boolean): PiiSpan[] {
  if (!LETTERED_ID_SIGN.test(scanText) && !hasNumberWindow) return [];
  const patterns = hasNumberWindow ? NATIONAL_ID_PATTERNS : LETTERED_ID_PATTERNS;
  return patterns.flatMap(({ shape, isValid, context }) =>
    [...scanText.matchAll(shape)].flatMap(({ 0: written, index }) => {
      const end = index + written.length;
      if (!isValid(written.toUpperCase().replace(SEPARATOR, ''))) return [];
      const isNamed = context
        ? context.test(contextAround(scanText, index, end))
        : !isLabelledAsIdentifier(scanText, index, end);
      return isNamed ? [{ start: index, end, type: 'NATIONAL_ID' as const, rank: RANK }] : [];
    }),
  );
}

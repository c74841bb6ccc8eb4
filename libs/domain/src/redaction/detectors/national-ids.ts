import { contextAround, isLabelledAsIdentifier } from '../cues.js';
import type { PiiSpan } from '../pii-types.js';
import {
  isBrazilianCpf,
  isBritishNino,
  isDutchBsn,
  isFrenchNir,
  isGermanTaxId,
  isIndianAadhaar,
  isItalianFiscalCode,
  isPolishPesel,
  isSpanishId,
  isSwedishPersonnummer,
  isUsSsn,
} from './national-id-checks.js';

interface NationalIdPattern {
  readonly shape: RegExp;
  /** Receives the match in upper case without separators. */
  readonly isValid: (id: string) => boolean;
  /** Words of which one must occur near the match, for forms that ordinary numbers have too. */
  readonly context?: RegExp;
}

const GENERIC = String.raw`national id|identity (?:number|card)|id (?:number|card)|tax (?:id|number)|tin`;

function near(words: string): RegExp {
  return new RegExp(String.raw`\b(?:${words}|${GENERIC})\b`, 'i');
}

/**
 * Ids of digits alone. A pattern without context either has a strong check (less than about 2 in 100 random numbers of
 * its length pass) or a form that nothing else has (SSN as 3-2-4 with hyphens). All are bounded, so the time is linear.
 */
const NUMERIC_ID_PATTERNS: readonly NationalIdPattern[] = [
  { shape: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, isValid: isUsSsn },
  { shape: /(?<![\w-])\d{3} ?\d{2} ?\d{4}(?![\w-])/g, isValid: isUsSsn, context: near('ssn|social security|social') },
  { shape: /(?<![\w.-])\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\w-]|\.\d)/g, isValid: isGermanTaxId },
  { shape: /(?<!\w)[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/gi, isValid: isFrenchNir },
  {
    shape: /(?<![\w.-])\d{4}[ .]?\d{2}[ .]?\d{3}(?![\w-])/g,
    isValid: isDutchBsn,
    context: near('bsn|burgerservicenummer|sofinummer|citizen service'),
  },
  { shape: /(?<![\w.-])\d{11}(?![\w-]|\.\d)/g, isValid: isPolishPesel },
  { shape: /(?<![\w-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])/g, isValid: isSwedishWithCentury },
  { shape: /(?<![\w-])(?:19|20)\d{10}(?![\w-])/g, isValid: isSwedishWithCentury },
  {
    shape: /(?<![\w-])\d{10}(?![\w-])/g,
    isValid: isSwedishWithCentury,
    context: near('personnummer|personnr|samordningsnummer'),
  },
  { shape: /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?![\w-]|\.\d)/g, isValid: isBrazilianCpf },
  { shape: /(?<![\w-])\d{4}([ -])\d{4}\1\d{4}(?![\w]|[ -]\d)/g, isValid: isIndianAadhaar },
  { shape: /(?<![\w-])\d{12}(?![\w-])/g, isValid: isIndianAadhaar, context: near('aadhaar|aadhar|uidai') },
];

/** Runs of digits may be short. NINO has no checksum: written in pairs it is recognised by its form. */
const LETTERED_ID_PATTERNS: readonly NationalIdPattern[] = [
  { shape: /(?<!\w)[a-z]{2} \d{2} \d{2} \d{2} [a-d](?!\w)/gi, isValid: isBritishNino },
  {
    shape: /(?<!\w)[a-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[a-d](?!\w)/gi,
    isValid: isBritishNino,
    context: near('nino|national insurance|ni (?:number|no)'),
  },
  { shape: /(?<!\w)(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-Z](?!\w)/g, isValid: isSpanishId },
  {
    shape: /(?<!\w)[a-z]{6}[\dl-v]{2}[a-ehlmprst][\dl-v]{2}[a-z][\dl-v]{3}[a-z](?!\w)/gi,
    isValid: isItalianFiscalCode,
  },
];

const NATIONAL_ID_PATTERNS: readonly NationalIdPattern[] = [...NUMERIC_ID_PATTERNS, ...LETTERED_ID_PATTERNS];

function isSwedishWithCentury(id: string): boolean {
  return isSwedishPersonnummer(id.slice(-10));
}

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

import type { CountryCode } from 'libphonenumber-js';
import { contextAround, isLabelledAsIdentifier } from '../cues.js';
import type { PiiSpan } from '../pii-types.js';
import { matchesIn, type ScanView } from '../scan-view.js';
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
import { isValidAs } from './standard-ids.js';

interface NationalIdPattern {
  readonly shape: RegExp;
  /** Receives the match in upper case without separators. */
  readonly isValid: (id: string) => boolean;
  /** Words of which one must occur near the match, for forms that ordinary numbers have too. */
  readonly context?: RegExp;
  /** Tenants in which the form needs no such word. */
  readonly country?: CountryCode;
  /** What is removed before the check; by default all signs between letters and digits. */
  readonly separator?: RegExp;
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
  {
    shape: /(?<![\w-])\d{3} ?\d{2} ?\d{4}(?![\w-])/g,
    isValid: isUsSsn,
    context: near('ssn|social security|my social'),
  },
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
  { shape: /(?<![\w-]|\d[ -])[2-9]\d{3}([ -])\d{4}\1\d{4}(?!\w|[ -]\d)/g, isValid: isIndianAadhaar },
  { shape: /(?<![\w.-])756([. ]?)\d{4}\1\d{4}\1\d{2}(?![\w-]|\.\d)/g, isValid: isSwissAhv },
  { shape: /(?<![\w-])\d{6}-[1-4]\d{6}(?![\w-])/g, isValid: (id) => isValidAs('kr', id) },
  { shape: /(?<![\w-])[1-6]\d{5}(?:19|20)\d{9}[\dXx](?![\w-])/g, isValid: (id) => isValidAs('cn', id) },
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
  {
    shape: /(?<!\w)(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[XYZ]-?\d{7})-?[A-Z](?!\w)/g,
    isValid: isSpanishId,
    context: near('dni|nie|nif|documento'),
    country: 'ES',
  },
  { shape: /(?<!\w)\d{6}[-+A]\d{3}[\dA-Y](?!\w)/g, isValid: (id) => isValidAs('fi', id), separator: / /g },
  { shape: /(?<!\w)[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d(?!\w)/g, isValid: (id) => isValidAs('mxCurp', id) },
  {
    shape: /(?<!\w)[a-z]{6}[\dl-v]{2}[a-ehlmprst][\dl-v]{2}[a-z][\dl-v]{3}[a-z](?!\w)/gi,
    isValid: isItalianFiscalCode,
  },
];

const NATIONAL_ID_PATTERNS: readonly NationalIdPattern[] = [...NUMERIC_ID_PATTERNS, ...LETTERED_ID_PATTERNS];

/** CH: the numbers that are printed in examples have only zeros. */
function isSwissAhv(id: string): boolean {
  return !/^7560+/.test(id.slice(0, 8)) && isValidAs('ch', id);
}

function isSwedishWithCentury(id: string): boolean {
  return isSwedishPersonnummer(id.slice(-10));
}

const RANK = 7;
// Six digits in a row or in pairs (NINO, DNI, NIE), or two between letters (codice fiscale).
const LETTERED_ID_SIGN = /\d{2} ?\d{2} ?\d{2}|[a-z]\d{2}[a-z]/i;
const SEPARATOR = /[ .+-]/g;

/**
 * National identity, insurance and tax numbers that are recognised by their form; see `NATIONAL_ID_PATTERNS`. Without
 * seven digits close together only the lettered ones.
 */
export function findNationalIds(view: ScanView, text: string, hasLongNumber: boolean, country: CountryCode): PiiSpan[] {
  if (!LETTERED_ID_SIGN.test(text) && !hasLongNumber) return [];
  const patterns = hasLongNumber ? NATIONAL_ID_PATTERNS : LETTERED_ID_PATTERNS;
  return patterns.flatMap((pattern) =>
    matchesIn(view, pattern.shape, text).flatMap(({ 0: written, index }) => {
      const end = index + written.length;
      if (!isAllowedAt(pattern, text, index, end, country)) return [];
      if (!pattern.isValid(written.toUpperCase().replace(pattern.separator ?? SEPARATOR, ''))) return [];
      return [{ start: index + view.offset, end: end + view.offset, type: 'NATIONAL_ID' as const, rank: RANK }];
    }),
  );
}

function isAllowedAt(
  { context, country }: NationalIdPattern,
  text: string,
  start: number,
  end: number,
  tenantCountry: CountryCode,
): boolean {
  if (context && country !== tenantCountry) return context.test(contextAround(text, start, end));
  return !isLabelledAsIdentifier(text, start, end);
}

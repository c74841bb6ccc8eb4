import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isIPv6 } from 'node:net';
import { foldSigns, removeIgnorable } from './fold-text.js';
import type { PiiType } from './pii-types.js';

/**
 * The same string for equal values that are written differently: e-mail addresses in lower case without obfuscation,
 * phone numbers in E.164 (national ones as of `country`), cards, IBANs and ids as upper-case letters and digits. Secrets
 * stay as they are, since a difference of one sign makes another secret. Pure; never throws.
 */
export function normalizePii(type: PiiType, value: string, country: CountryCode): string {
  switch (type) {
    case 'EMAIL':
      return normalizeEmail(value);
    case 'PHONE':
      return normalizePhone(foldSigns(removeIgnorable(value)), country);
    case 'CARD':
    case 'IBAN':
    case 'NATIONAL_ID':
      return foldSigns(removeIgnorable(value))
        .toUpperCase()
        .replace(/[^\p{L}\p{N}]/gu, '');
    case 'IP':
      return normalizeIp(foldSigns(removeIgnorable(value)).trim().toLowerCase());
    case 'SECRET':
      return value;
  }
}

// A percent sign may itself be encoded; three levels are as many as links have.
const MAX_DECODED_LEVELS = 3;
const SPELT_AT =
  /\s*(?:[[({<]\s*(?:at|ät|@|arroba|arobase|chiocciola|małpa|zavináč|собака)\s*[\])}>]|&#0*64;|&#x0*40;|&commat;)\s*|\s+(?:at|arroba)\s+/giu;
const SPELT_DOT =
  /\s*[[({<]\s*(?:dot|punto|ponto|punkt|point|kropka|tečka|точка|\.)\s*[\])}>]\s*|\s+(?:dot|punto|punkt|point)\s+/giu;

function normalizeEmail(value: string): string {
  let address = removeIgnorable(value).normalize('NFKC').toLowerCase();
  for (let level = 0; level < MAX_DECODED_LEVELS && address.includes('%'); level += 1) {
    address = address.replace(/%([2-7][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return address.replace(SPELT_AT, '@').replace(SPELT_DOT, '.').replace(/\s+/g, '').toLowerCase();
}

// "+44 (0)20 …" names the trunk prefix that is only dialled inside of the country.
const TRUNK_PREFIX = /\(0\)/;

function normalizePhone(value: string, country: CountryCode): string {
  const written = value.replace(TRUNK_PREFIX, ' ').replace(/[^\d+()]/g, ' ');
  const digits = written.replace(/\D/g, '');
  const isInternational = written.trimStart().startsWith('+') || /^\s*\(?\s*00/.test(written);
  const number = isInternational ? `+${digits.replace(/^00/, '')}` : digits;
  const parsed = parsePhoneNumberFromString(number, { defaultCountry: country, extract: false });
  return parsed?.isPossible() ? parsed.number : number;
}

function normalizeIp(address: string): string {
  return isIPv6(address) && !address.includes('%') ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}

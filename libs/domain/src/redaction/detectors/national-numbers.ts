import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type NumberingPlan,
} from 'libphonenumber-js';

/** The form of a country's national numbers, from libphonenumber's metadata. */
interface CountryRules {
  readonly pattern: RegExp;
  /** What is dialled before a national number. */
  readonly prefix: RegExp | null;
  /** What replaces the prefix in countries that dial other digits than the number has (Argentina, Brazil, Mexico). */
  readonly replacement: string | null;
  readonly callingCode: string;
}

// What the metadata of the library also has, and its type declarations leave out.
type FullNumberingPlan = NumberingPlan & {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
};

/** Where a national number is always written with its trunk prefix: without it, digits are just a number. */
const WRITTEN_WITH_PREFIX: ReadonlySet<string> = new Set(
  'AT BE BG CH DE FI FR GB HR HU IE NL RO RS SE SI SK UA AU EG JP KE KR MY NG NZ TW ZA'.split(' '),
);
const MIN_DIGITS_WITH_CALLING_CODE = 11;

const rulesByCountry = new Map<CountryCode, CountryRules | null>();

/**
 * True when `digits` are a valid number in the national form of `country`. The patterns are libphonenumber's; they are
 * tested directly, since parsing one number takes up to 30 µs and a text can hold thousands of candidates.
 */
export function isNationalNumber(digits: string, country: CountryCode): boolean {
  const rules = rulesOf(country);
  if (!rules) return false;
  if (!WRITTEN_WITH_PREFIX.has(country) && rules.pattern.test(digits)) return true;
  if (isDialledNumber(digits, rules)) return true;
  // "49 30 23125 142": with the code of the country, without "+".
  if (digits.length < MIN_DIGITS_WITH_CALLING_CODE || !digits.startsWith(rules.callingCode)) return false;
  const withoutCode = digits.slice(rules.callingCode.length);
  return rules.pattern.test(withoutCode) || isDialledNumber(withoutCode, rules);
}

function isDialledNumber(digits: string, { pattern, prefix, replacement }: CountryRules): boolean {
  const match = prefix?.exec(digits);
  if (!prefix || !match) return false;
  const isReplaced = replacement !== null && match.length > 1 && match.at(-1) !== undefined;
  return pattern.test(isReplaced ? digits.replace(prefix, replacement) : digits.slice(match[0].length));
}

function rulesOf(country: CountryCode): CountryRules | null {
  const known = rulesByCountry.get(country);
  if (known !== undefined) return known;
  const rules = isSupportedCountry(country) ? readRules(country) : null;
  rulesByCountry.set(country, rules);
  return rules;
}

function readRules(country: CountryCode): CountryRules {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as FullNumberingPlan;
  const prefix = plan.nationalPrefixForParsing();
  return {
    pattern: new RegExp(`^(?:${plan.nationalNumberPattern()})$`),
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
    replacement: plan.nationalPrefixTransformRule() ?? null,
    callingCode: getCountryCallingCode(country),
  };
}

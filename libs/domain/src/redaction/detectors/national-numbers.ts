import {
  type CountryCode,
  getCountryCallingCode,
  Metadata,
  type NumberingPlan,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';

interface CountryRules {
  /** The national numbers of the country, by libphonenumber's metadata. */
  readonly pattern: RegExp;
  readonly prefix: RegExp | null;
  readonly callingCode: string;
  /** National numbers that are rewritten before they are checked (Argentina, Brazil): the library itself reads these. */
  readonly isTransformed: boolean;
}

// What the metadata of the library also has, and its type declarations leave out.
type FullNumberingPlan = NumberingPlan & {
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
};

const rulesByCountry = new Map<CountryCode, CountryRules>();

/**
 * True when `digits` are a valid number in the national form of `country`. The patterns are libphonenumber's; they are
 * tested directly, since parsing one number takes up to 30 µs and a text can hold thousands of candidates.
 */
export function isNationalNumber(digits: string, country: CountryCode): boolean {
  const { pattern, prefix, callingCode, isTransformed } = rulesOf(country);
  if (isTransformed) {
    return parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false })?.isValid() ?? false;
  }
  if (pattern.test(digits)) return true;
  if (prefix !== null && prefix.test(digits) && pattern.test(digits.replace(prefix, ''))) return true;
  // "49 30 23125 142": with the code of the country, without "+".
  return digits.startsWith(callingCode) && pattern.test(digits.slice(callingCode.length).replace(prefix ?? '', ''));
}

function rulesOf(country: CountryCode): CountryRules {
  const known = rulesByCountry.get(country);
  if (known) return known;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const plan = metadata.numberingPlan as FullNumberingPlan;
  const prefix = plan.nationalPrefixForParsing();
  const rules: CountryRules = {
    pattern: new RegExp(`^(?:${plan.nationalNumberPattern()})$`),
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : null,
    callingCode: getCountryCallingCode(country),
    isTransformed: Boolean(plan.nationalPrefixTransformRule()),
  };
  rulesByCountry.set(country, rules);
  return rules;
}

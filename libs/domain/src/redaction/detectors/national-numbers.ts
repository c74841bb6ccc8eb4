import { type CountryCode, Metadata, type NumberingPlan, parsePhoneNumberFromString } from 'libphonenumber-js';

interface CountryRules {
  /** The national numbers of the country, by libphonenumber's metadata. */
  readonly pattern: RegExp;
  readonly prefix: RegExp | null;
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
  const { pattern, prefix, isTransformed } = rulesOf(country);
  if (isTransformed) {
    return parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false })?.isValid() ?? false;
  }
  if (pattern.test(digits)) return true;
  return prefix !== null && prefix.test(digits) && pattern.test(digits.replace(prefix, ''));
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
    isTransformed: Boolean(plan.nationalPrefixTransformRule()),
  };
  rulesByCountry.set(country, rules);
  return rules;
}

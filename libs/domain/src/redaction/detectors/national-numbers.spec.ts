import fc from 'fast-check';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isNationalNumber } from './national-numbers.js';

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 12 }).map((all) => all.join(''));

describe('isNationalNumber', () => {
  it('accepts every number with a trunk prefix that libphonenumber accepts, in every country', () => {
    fc.assert(
      fc.property(fc.constantFrom(...getCountries()), digits, (country, number) => {
        const written = `0${number}`;
        const parsed = parsePhoneNumberFromString(written, { defaultCountry: country, extract: false });
        // With an access code ("00", "011") a number is an international one.
        if (!parsed?.isValid() || parsed.country !== country || /^0(?:0|11)/.test(written)) return;
        if (written.endsWith(parsed.nationalNumber))
          expect([written, isNationalNumber(written, country)]).toEqual([written, true]);
      }),
      { numRuns: 20_000 },
    );
  });

  it('knows no number of a country that does not exist', () => {
    expect(isNationalNumber('4155552671', 'ZZ' as CountryCode)).toBe(false);
  });

  it('refuses a number without its trunk prefix where it is always written', () => {
    expect(isNationalNumber('3023125142', 'DE')).toBe(false);
    expect(isNationalNumber('493023125142', 'DE')).toBe(true);
    expect(isNationalNumber('5000000', 'DE')).toBe(false);
  });

  it.each([
    ['DE', '03023125142'],
    ['GB', '02079460812'],
    ['BR', '11912345678'],
    ['AR', '1123456789'],
    ['NO', '40612345'],
  ] as const)('accepts a number of %s, and refuses it with one digit', (country, number) => {
    expect(isNationalNumber(number, country)).toBe(true);
    expect(isNationalNumber(number.slice(0, 1), country)).toBe(false);
  });
});

import fc from 'fast-check';
import { getCountries, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isNationalNumber } from './national-numbers.js';

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 12 }).map((all) => all.join(''));

describe('isNationalNumber', () => {
  it('accepts every national number that libphonenumber accepts, in every country', () => {
    fc.assert(
      fc.property(fc.constantFrom(...getCountries()), digits, fc.boolean(), (country, number, hasPrefix) => {
        const written = hasPrefix ? `0${number}` : number;
        const parsed = parsePhoneNumberFromString(written, { defaultCountry: country, extract: false });
        // With an access code ("00", "011") a number is an international one.
        if (
          parsed?.isValid() &&
          parsed.country === country &&
          written.endsWith(parsed.nationalNumber) &&
          !/^0(?:0|11)/.test(written)
        ) {
          expect([country, written, isNationalNumber(written, country)]).toEqual([country, written, true]);
        }
      }),
      { numRuns: 20_000 },
    );
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

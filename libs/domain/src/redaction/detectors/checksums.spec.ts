import fc from 'fast-check';
import { passesLuhn } from './cards.js';
import { isIban } from './ibans.js';
import {
  isBrazilianCpf,
  isBritishNino,
  isDutchBsn,
  isFrenchNir,
  isGermanTaxId,
  isIndianAadhaar,
  isItalianFiscalCode,
  isNhsNumber,
  isPolishPesel,
  isSpanishId,
  isSwedishPersonnummer,
  isUsSsn,
} from './national-id-checks.js';
import { isValidAs } from './standard-ids.js';

/** Valid samples from public documentation, and their checks. Each check detects every single wrong digit. */
const CHECKS: readonly (readonly [name: string, check: (id: string) => boolean, sample: string])[] = [
  ['Luhn', passesLuhn, '4111111111111111'],
  ['IBAN', isIban, 'GB29NWBK60161331926819'],
  ['DE tax id', isGermanTaxId, '86095742719'],
  ['FR NIR', isFrenchNir, '255081416802538'],
  ['ES DNI', isSpanishId, '12345678Z'],
  ['ES NIE', isSpanishId, 'X1234567L'],
  ['IT codice fiscale', isItalianFiscalCode, 'RSSMRA85T10A562S'],
  ['IT codice fiscale with omocodia', isItalianFiscalCode, 'RSSMRA85T10A56NH'],
  ['NL BSN', isDutchBsn, '111222333'],
  ['PL PESEL', isPolishPesel, '44051401359'],
  ['SE personnummer', isSwedishPersonnummer, '8112189876'],
  ['BR CPF', isBrazilianCpf, '52998224725'],
  ['IN Aadhaar', isIndianAadhaar, '234123412346'],
  ['UK NHS number', isNhsNumber, '9434765919'],
  ['CH AHV', (id) => isValidAs('ch', id), '7569996323157'],
  ['TR kimlik', (id) => isValidAs('tr', id), '63682821332'],
];

describe('checksums', () => {
  it.each(CHECKS)('%s accepts its sample', (_name, check, sample) => {
    expect(check(sample)).toBe(true);
  });

  it.each(CHECKS)('%s rejects its sample with any one digit changed', (_name, check, sample) => {
    const digitIndexes = Array.from(sample.matchAll(/\d/g), ({ index }) => index);
    fc.assert(
      fc.property(fc.constantFrom(...digitIndexes), fc.integer({ min: 1, max: 9 }), (index, shift) => {
        const changed = (Number(sample[index]) + shift) % 10;
        expect(check(sample.slice(0, index) + String(changed) + sample.slice(index + 1))).toBe(false);
      }),
    );
  });

  it.each(['000123456', '666123456', '900123456', '123006789', '123450000'])(
    'reject the SSN %s, which was never issued',
    (digits) => {
      expect(isUsSsn(digits)).toBe(false);
    },
  );

  it.each(['GB123456A', 'QQ123456A', 'DA123456A', 'AO123456A', 'AB123456E'])(
    'reject the NINO %s, which was never issued',
    (id) => {
      expect(isBritishNino(id)).toBe(false);
    },
  );

  it('reject ids of equal digits, which were never issued', () => {
    expect(isDutchBsn('000000000')).toBe(false);
    expect(isBrazilianCpf('11111111111')).toBe(false);
    expect(isIndianAadhaar('333333333333')).toBe(false);
  });
});

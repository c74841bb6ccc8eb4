import fc from 'fast-check';
import { normalizePii } from './normalize-pii.js';
import { PII_TYPES, type PiiType } from './pii-types.js';

const EQUAL: readonly (readonly [type: PiiType, normalized: string, written: readonly string[]])[] = [
  [
    'EMAIL',
    'jo.doe@mail.example.org',
    [
      'Jo.Doe@Mail.Example.ORG',
      'jo.doe%40mail.example.org',
      'jo.doe%2540mail.example.org',
      'jo.doe [at] mail [dot] example [dot] org',
      'jo.doe(at)mail.example.org',
      'jo dot doe at mail dot example dot org',
      'jo.doe AT mail DOT example DOT org',
      'jo.doe @ mail . example . org',
      'jo.doe＠mail.example.org',
      'jo.\u200bdoe@mail.example.org',
      'jo.doe&#64;mail.example.org',
      'jo.doe arroba mail punto example punto org',
    ],
  ],
  ['EMAIL', 'jürgen@bücher.example', ['jürgen@bücher.example', 'ju\u0308rgen@bu\u0308cher.example']],
  ['EMAIL', 'mat@dotty.example', ['mat@dotty.example', 'mat [at] dotty.example']],
  [
    'PHONE',
    '+493023125142',
    [
      '030 23125 142',
      '+49 30 23125 142',
      '+49 (0)30 23125-142',
      '0049 30 23125142',
      '(030) 23125/142',
      '+49 30\n23125 142',
      '+٤٩٣٠٢٣١٢٥١٤٢',
    ],
  ],
  ['CARD', '4539285546367060', ['4539 2855 4636 7060', '4539-2855-4636-7060', '4539\n> 2855.4636_7060']],
  ['IBAN', 'DE72897215920221191029', ['de72 8972 1592 0221 1910 29', 'DE72-8972-1592-0221-1910-29']],
  ['NATIONAL_ID', '7569996323157', ['756.9996.3231.57', '756 9996 3231 57', '7569996323157']],
  ['NATIONAL_ID', '12345678Z', ['12345678-z', '12.345.678-Z']],
  ['IP', '2001:db8::7:1234', ['2001:DB8:0:0:0:0:7:1234', '2001:db8::7:1234']],
  ['IP', '203.0.113.7', ['203.0.113.7', ' 203.0.113.7']],
  ['SECRET', 'Hunter2 ', ['Hunter2 ']],
];

describe('normalizePii', () => {
  it.each(EQUAL)('%s: gives %s for every form', (type, normalized, written) => {
    for (const value of written) expect(normalizePii(type, value, 'DE')).toBe(normalized);
  });

  it('reads a national phone number as one of the given country', () => {
    expect(normalizePii('PHONE', '(212) 555-0147', 'US')).toBe('+12125550147');
    expect(normalizePii('PHONE', '079 123 45 67', 'CH')).toBe('+41791234567');
    expect(normalizePii('PHONE', '011 44 20 7946 0812', 'US')).toBe('+442079460812');
  });

  it('keeps the digits of what is no number of the country', () => {
    expect(normalizePii('PHONE', '55-01', 'US')).toBe('5501');
  });

  it('keeps different values apart', () => {
    expect(normalizePii('EMAIL', 'jo@a.example', 'US')).not.toBe(normalizePii('EMAIL', 'jo@b.example', 'US'));
    expect(normalizePii('SECRET', 'Hunter2', 'US')).not.toBe(normalizePii('SECRET', 'hunter2', 'US'));
  });

  it('changes nothing of what it returned, and never throws', () => {
    const value = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...PII_TYPES), value, (type, text) => {
        const once = normalizePii(type, text, 'US');
        expect(typeof once).toBe('string');
        if (type !== 'EMAIL' && type !== 'PHONE') expect(normalizePii(type, once, 'US')).toBe(once);
      }),
    );
  });
});

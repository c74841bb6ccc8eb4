import fc from 'fast-check';
import { NEGATIVE_CASES, POSITIVE_CASES } from './corpus.fixture.js';
import { createPiiCounts, PII_TYPES, PLACEHOLDERS } from './pii-types.js';
import { redactText } from './redact-text.js';

const corpusText = fc.constantFrom(
  ...POSITIVE_CASES.map(([before, secret, after]) => before + secret + after),
  ...NEGATIVE_CASES,
);
const fragment = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('0123456789')),
    fc.constantFrom(...Array.from(' .-/()+@:=abAX'), '\u200b', '\u0661', 'password', 'sk-', '://', '\n'),
  ),
  maxLength: 60,
});
const mixedText = fc.array(fc.oneof(corpusText, fragment), { maxLength: 4 }).map((parts) => parts.join(' '));

describe('redactText', () => {
  it.each(POSITIVE_CASES)('redacts %j%j%j as %s', (before, secret, after, type) => {
    const { text, counts } = redactText(before + secret + after);
    expect(text).toBe(before + PLACEHOLDERS[`<PII:${type}>`] + after);
    expect(counts).toEqual({ ...createPiiCounts(), [type]: 1 });
  });

  it.each(NEGATIVE_CASES)('does not change %j', (text) => {
    expect(redactText(text)).toEqual({ text, counts: createPiiCounts() });
  });

  it('counts every occurrence by type', () => {
    const { text, counts } = redactText('a@b.io, c@d.io and +1 415 555 2671 from 203.0.113.7');
    expect(text).toBe('[redacted email], [redacted email] and [redacted phone] from [redacted ip]');
    expect(counts).toEqual({ ...createPiiCounts(), EMAIL: 2, PHONE: 1, IP: 1 });
  });

  it('uses the national phone format of the configured country', () => {
    expect(redactText('so: 030 901820', { defaultCountry: 'DE' }).counts.PHONE).toBe(1);
    expect(redactText('so: 030 901820', { defaultCountry: 'US' }).counts.PHONE).toBe(0);
  });

  it('prefers the more specific pattern where two overlap', () => {
    expect(redactText('password: a@b.io').counts).toEqual({ ...createPiiCounts(), SECRET: 1 });
    expect(redactText('https://u:p@long.example.com/x').text).toBe('https://[redacted secret]@long.example.com/x');
  });

  it('never outputs the token form, and does not change one that was typed', () => {
    const { text, counts } = redactText('<PII:EMAIL> a@b.io <PII:PHONE>');
    expect(text).toBe('<PII:EMAIL> [redacted email] <PII:PHONE>');
    expect(counts.EMAIL).toBe(1);
  });

  it('renders every type without the token form', () => {
    for (const type of PII_TYPES) expect(PLACEHOLDERS[`<PII:${type}>`]).toMatch(/^\[redacted [a-z ]+\]$/);
  });

  it('is idempotent, and counts nothing the second time', () => {
    fc.assert(
      fc.property(mixedText, (original) => {
        const { text } = redactText(original);
        expect(redactText(text)).toEqual({ text, counts: createPiiCounts() });
      }),
      { numRuns: 3000 },
    );
  });

  it('redacts all of the corpus, whatever the surrounding text', () => {
    const unrelated = fc.constantFrom('', 'Hello there. ', 'Yes!\n', 'ok: ', '« ');
    fc.assert(
      fc.property(fc.constantFrom(...POSITIVE_CASES), unrelated, unrelated, ([before, secret, after], head, tail) => {
        const { text } = redactText(`${head}${before}${secret}${after} ${tail}`);
        expect(text).not.toContain(secret);
      }),
    );
  });

  it('does not change the text outside redacted spans', () => {
    fc.assert(
      fc.property(mixedText, (original) => {
        const kept = redactText(original).text.split(/\[redacted (?:email|phone|card|iban|national id|ip|secret)\]/);
        let offset = 0;
        for (const words of kept) {
          offset = original.indexOf(words, offset);
          expect(offset).toBeGreaterThanOrEqual(0);
          offset += words.length;
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { removeHidden } from '../text/remove-hidden.js';
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

  // One of each kind, and what is written with two UTF-16 units.
  const HIDDEN = Array.from(
    '\u0001\u007f\u00ad\u034f\u061c\u115f\u180e\u200d\u2066\u2069\u206a\u3164\ufe0f\ufff9\uffff\u{e0041}\u{1d173}',
  );

  it.each(HIDDEN)('finds an address with the hidden character %j in it', (hidden) => {
    const { text, counts } = redactText(`I am ana${hidden}@exam${hidden}ple.com, thanks`);
    expect(text).toBe('I am [redacted email], thanks');
    expect(counts.EMAIL).toBe(1);
  });

  it('finds hidden characters where a long text is cut', () => {
    const text = `${'\u{1f600}'.repeat(8_191)} ana\u{e0041}@example.com`;
    for (const lead of ['', 'x', 'xy\r\n', 'xyz ', 'wxyz ']) expect(redactText(lead + text).counts.EMAIL).toBe(1);
  });

  it('leaves nothing that is found again in the text as it is served', () => {
    const hidden = fc.constantFrom(...HIDDEN, '\r', '\r\n', '\u2028', '\u0085', '\ud83d', '\ude00', '\u200d\u2066');
    const places = fc.array(fc.tuple(hidden, fc.nat()), { maxLength: 6 });
    fc.assert(
      fc.property(mixedText, places, (original, insertions) => {
        const worn = insertions.reduce((text, [character, place]) => {
          const at = place % (text.length + 1);
          return text.slice(0, at) + character + text.slice(at);
        }, original);
        const served = removeHidden(redactText(worn).text);
        expect(redactText(served).counts).toEqual(createPiiCounts());
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

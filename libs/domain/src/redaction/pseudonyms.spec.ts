import { splitSentences } from '@annals/english';
import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { createSecretKey } from 'node:crypto';
import { analyzeQuery } from '../lexical/analyze-query.js';
import { isQuoteGrounded } from '../grounding/ground-memory.js';
import { hashContent } from '../hash/content-hash.js';
import { classifyPair } from '../meaning/classify-pair.js';
import { checkWriting } from '../writing/check-writing.js';
import { createPiiCounts } from './pii-types.js';
import { listPlaceholders, PLACEHOLDER_PATTERN } from './placeholders.js';
import { createPseudonyms, hashId } from './pseudonyms.js';
import { redactText } from './redact-text.js';

const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const redactAs = (byte: number) => {
  const pseudonymOf = createPseudonyms(keyOf(byte));
  return (text: string) => redactText(text, { pseudonymOf }).text;
};
const redact = redactAs(1);

describe('placeholders with a pseudonym', () => {
  it.each([
    ['EMAIL', 'ana@example.com', 'Ana@Example.COM', 'ben@example.com', /^\[email [0-9a-f]{16}\]$/],
    ['PHONE', '+1 415 555 2671', '(415) 555-2671', '+1 415 555 2672', /^\[phone [0-9a-f]{16}\]$/],
    ['CARD', '4111 1111 1111 1111', '4111-1111-1111-1111', '5500 0000 0000 0004', /^\[card [0-9a-f]{16}\]$/],
    [
      'IBAN',
      'GB29 NWBK 6016 1331 9268 19',
      'gb29nwbk60161331926819',
      'DE89370400440532013000',
      /^\[iban [0-9a-f]{16}\]$/,
    ],
    ['NATIONAL_ID', 'SSN 123-45-6789', 'SSN 123-45-6789', 'SSN 123-45-6780', /^SSN \[national id [0-9a-f]{16}\]$/],
    ['IP', '203.0.113.7', '203.0.113.7', '203.0.113.8', /^\[ip [0-9a-f]{16}\]$/],
    [
      'SECRET',
      'sk-ant-api03-abcdefgh12345678',
      'sk-ant-api03-abcdefgh12345678',
      'sk-ant-api03-abcdefgh12345679',
      /^\[secret [0-9a-f]{16}\]$/,
    ],
  ])('are equal for equal values and differ for others: %s', (_type, value, sameValue, other, form) => {
    expect(redact(value)).toMatch(form);
    expect(redact(sameValue)).toBe(redact(value));
    expect(redact(other)).toMatch(form);
    expect(redact(other)).not.toBe(redact(value));
  });

  it('differ under another key', () => {
    expect(redactAs(2)('ana@example.com')).not.toBe(redact('ana@example.com'));
  });

  it('are HMAC-SHA-256 of type and value: stored texts depend on it', () => {
    expect(redact('Ana@example.com')).toBe('[email 651dd6f59b23dd22]');
  });

  it('do not tell short secrets apart, which could be found by trying', () => {
    expect(redact('my password is hunter2')).toBe('my password is [redacted secret]');
    expect(redact('my password is hunter3')).toBe('my password is [redacted secret]');
  });

  it('have a letter, so that nothing takes one for a number', () => {
    const pseudonymOf = createPseudonyms(keyOf(1));
    // One in 1 850 values would have digits alone.
    const digitsOnly = Array.from({ length: 20_000 }, (_, index) => pseudonymOf('IP', `10.0.0.${index}`)).filter(
      (pseudonym) => !/^(?=.*[a-f])[0-9a-f]{16}$/.test(pseudonym),
    );
    expect(digitsOnly).toEqual([]);
  });

  it('stay as they are when redacted again, as those of earlier releases do', () => {
    const part = fc.oneof(
      fc.emailAddress(),
      fc.ipV4(),
      fc.constantFrom('call +1 415 555 2671', 'password: hunter2', '[redacted email]', '4111111111111111', 'GB29'),
      fc.constantFrom('[', ']', ' ', '[email ', '[card 4111111111111111]', 'id ', 'and', '\u200b', '='),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = redact(parts.join(' '));
        expect(redactText(text, { pseudonymOf: createPseudonyms(keyOf(2)) })).toEqual({
          text,
          counts: createPiiCounts(),
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('hide nothing that was typed in their form', () => {
    expect(redact('[card 4111111111111111]')).not.toContain('4111');
    expect(redact('[email ana@example.com]')).not.toContain('ana');
    expect(redact('[phone +14155552671]')).not.toContain('4155');
  });

  it('are listed once each, in their order', () => {
    const text = redact('ana@example.com, ben@example.com, ana@example.com, password: hunter2 and [redacted phone]');
    expect(listPlaceholders(text)).toEqual([redact('ana@example.com'), redact('ben@example.com')]);
    expect(listPlaceholders('nothing')).toEqual([]);
  });

  it.each(['[', '[email ', '[email 7f3a', '[email 7f3a9c21d04be5f8]', '[national '])(
    'are found in linear time in %j repeated',
    (unit) => {
      const work = (size: number) => {
        const text = unit.repeat(size / unit.length);
        return [redact(text), text.replaceAll(PLACEHOLDER_PATTERN, '')];
      };
      expect(measureCpuGrowth(work, 100_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});

describe('what reads redacted texts', () => {
  const ofAna = redact('Write to ana@example.com about invoices.');
  const ofBen = redact('Write to ben@example.com about invoices.');

  it('keeps statements about two addresses apart', () => {
    expect(hashContent(ofAna)).not.toBe(hashContent(ofBen));
    const bands = { auto: 0.9, check: 0.8, fallback: 0.7, link: 0.6 };
    const statement = (content: string) => ({ content, type: 'semantic' as const, category: 'preferences' });
    expect(classifyPair(statement(ofAna), statement(ofBen), 0.99, bands)).not.toBe('same');
    expect(classifyPair(statement(ofAna), statement(ofAna), 0.99, bands)).toBe('same');
  });

  it('finds a quote with its address, and none with another', () => {
    expect(isQuoteGrounded(redact('write to ana@example.com'), ofAna)).toBe(true);
    expect(isQuoteGrounded(redact('write to ben@example.com'), ofAna)).toBe(false);
  });

  it('splits no sentence and finds no fault in the form of a memory', () => {
    const said = redact('The user pays with 4111 1111 1111 1111. The user writes to ana@example.com from 203.0.113.7!');
    expect(splitSentences(said)).toHaveLength(2);
    for (const content of splitSentences(said)) expect(checkWriting({ content, type: 'semantic' })).toEqual([]);
  });

  it('makes one term of a pseudonym', () => {
    const [placeholder] = listPlaceholders(ofAna);
    const terms = analyzeQuery(redact('What about ana@example.com?'), { now: 0 }).map(({ term }) => term);
    expect(terms).toContain(/[0-9a-f]{16}/.exec(placeholder!)![0]);
  });
});

describe('hashId', () => {
  it('is the same for the same id, exactly, and different for any other id or key', () => {
    const hashed = hashId(keyOf(1), 'ana@example.com');
    expect(hashed).toMatch(/^id-[0-9a-f]{32}$/);
    expect(hashId(keyOf(1), 'ana@example.com')).toBe(hashed);
    expect(hashId(keyOf(1), 'Ana@example.com')).not.toBe(hashed);
    expect(hashId(keyOf(2), 'ana@example.com')).not.toBe(hashed);
  });

  it('leaves an id that was hashed before', () => {
    const hashed = hashId(keyOf(1), 'ana@example.com');
    expect(hashId(keyOf(1), hashed)).toBe(hashed);
  });
});

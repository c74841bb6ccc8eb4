import { HOSTILE_TEXTS, MAX_LINEAR_GROWTH, measureCpuGrowth, measureCpuMicros } from '@annals/testing';
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens, loadTokenCounter } from './count-tokens.js';
import { cutLongRuns } from './cut-long-runs.js';

const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
const describeText = (name: string) => HOSTILE_TEXTS.find((text) => text.name === name)!;

describe('counting tokens of hostile texts', () => {
  it.each(HOSTILE_TEXTS)(
    'is at most one token a piece above the exact count of $name, and not below it',
    async ({ make }) => {
      const count = await loadTokenCounter();
      const text = make(2_500);
      const exact = countExactly(text, asPlainText);
      expect(count(text)).toBeGreaterThanOrEqual(exact * 0.995);
      expect(count(text)).toBeLessThanOrEqual(exact + Math.ceil(text.length / 64));
    },
  );

  it('is exact for prose, whatever its length', async () => {
    const count = await loadTokenCounter();
    const prose = describeText('an English sentence').make(30_000);
    expect(count(prose)).toBe(countExactly(prose, asPlainText));
  });

  it.each(['one letter', 'one space', 'line breaks', 'chinese without blanks', 'a path without an end'])(
    'takes linear time on %s',
    async (name) => {
      const count = await loadTokenCounter();
      const { make } = describeText(name);
      // Also the smaller text has more words than the encoder remembers.
      expect(measureCpuGrowth((length) => count(make(length)), 160_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );

  it('takes no longer once many other words were counted', async () => {
    const count = await loadTokenCounter();
    const text = describeText('zero-width spaces').make(16_000);
    const measure = () => Math.min(...Array.from({ length: 3 }, () => measureCpuMicros(() => count(text))));
    const fresh = measure();
    const words = Array.from({ length: 120_000 }, (_, index) => `q${(index * 7_919).toString(36)}zx`);
    for (let start = 0; start < words.length; start += 1_000) count(words.slice(start, start + 1_000).join(' '));
    expect(measure()).toBeLessThan(8 * fresh);
  });

  it.each(['one letter', 'chinese without blanks', 'random letters'])(
    'estimates a long text of %s by parts of one slice, within 3 %% of its count',
    async (name) => {
      const count = await loadTokenCounter();
      const long = describeText(name).make(60_000);
      const exact = count(long);
      expect(Math.abs(estimateTokens(long) - exact)).toBeLessThanOrEqual(exact * 0.03);
    },
  );
});

describe('cutLongRuns', () => {
  it.each(HOSTILE_TEXTS)('leaves no word of $name longer than 64 units', ({ make }) => {
    const text = make(5_000);
    const pieces = cutLongRuns(text);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) {
      expect(piece).toBe(piece.toWellFormed());
      for (const [run] of piece.matchAll(/\S+|\s+|[\r\n/]+/g)) expect(run.length).toBeLessThanOrEqual(64);
    }
  });

  it('does not cut a word with the slashes and line breaks that the encoder adds to it', () => {
    const pieces = cutLongRuns('/\n'.repeat(1_000));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(64);
  });
});

import { sized } from '@annals/testing';
import fc from 'fast-check';
import { MAX_SLICE_UNITS } from '../text/sliced.js';
import { POSITIVE_CASES } from './corpus.fixture.js';
import { HOSTILE_PIECES } from './hostile-texts.fixture.js';
import { createPiiCounts } from './pii-types.js';
import { type Redaction, redactSliced, redactText } from './redact-text.js';

/** Placeholders between two slices: each needs a hash and perhaps the parsing of a number. */
const MAX_SPANS_OF_SLICE = 200;

const values = POSITIVE_CASES.map(([before, secret, after]) => before + secret + after);
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE_PIECES),
  fc.constantFrom(...values),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789 .-/()+@:=abAX\n')), maxLength: 20 }),
);
const hostileText = fc
  .array(fc.tuple(piece, fc.integer({ min: 1, max: 6 })), { maxLength: 10 })
  .map((pieces) => pieces.map(([text, times]) => text.repeat(times)).join(''));

function countSlices(hostile: string, units: number): { slices: number; spans: number } {
  const work = redactSliced(hostile.repeat(units / hostile.length));
  for (let slices = 1; ; slices += 1) {
    const step = work.next();
    if (step.done) return { slices, spans: Object.values(step.value.counts).reduce((sum, count) => sum + count, 0) };
  }
}

describe('redactSliced', () => {
  it('gives the same wherever slices are cut', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 97 }), (text, sliceUnits) => {
        expect(runSliced(text, sliceUnits)).toEqual(redactText(text));
      }),
      { numRuns: sized(500, 1_500) },
    );
  });

  it.each(POSITIVE_CASES)('redacts %j%j%j across each cut of a slice', (before, secret, after) => {
    const text = before + secret + after;
    const padding = 'x '.repeat(MAX_SLICE_UNITS / 2 - 40);
    for (let shift = 0; shift < 80 + secret.length; shift += 23) {
      const start = MAX_SLICE_UNITS - before.length - Math.min(shift, 40 + secret.length);
      const filler = padding.slice(0, Math.max(0, start - 1)).padEnd(start, '\n');
      expect(redactText(filler + text).text).toBe(filler + redactText(text).text);
    }
  });

  it('reads a text in slices of at most 16 384 units, a few times and around what it replaced', () => {
    expect(new Set(HOSTILE_PIECES).size).toBeGreaterThanOrEqual(60);
    const units = 100_000;
    const parts = Math.ceil(units / MAX_SLICE_UNITS);
    const counted = HOSTILE_PIECES.map((hostile) => ({ hostile, ...countSlices(hostile, units) }));
    expect(
      counted.filter(({ slices, spans }) => slices < parts || slices > 4 * parts + spans / MAX_SPANS_OF_SLICE),
    ).toEqual([]);
  });

  it('reads twice the text in at most twice as many slices', () => {
    const counted = HOSTILE_PIECES.map((hostile) => ({
      hostile,
      once: countSlices(hostile, 2 * MAX_SLICE_UNITS).slices,
      twice: countSlices(hostile, 4 * MAX_SLICE_UNITS).slices,
    }));
    expect(counted.filter(({ once, twice }) => twice > 2 * once + 4)).toEqual([]);
  });

  it.each(HOSTILE_PIECES)('changes nothing of a redacted text of %j', (hostile) => {
    const { text } = redactText(hostile.repeat(400));
    expect(redactText(text)).toEqual({ text, counts: createPiiCounts() });
  });
});

function runSliced(text: string, sliceUnits: number): Redaction {
  const work = redactSliced(text, {}, sliceUnits);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

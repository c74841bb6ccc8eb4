import { runAtOnce } from '../text/sliced.js';
import { createSimilarity, type RedundancyScale } from './measure-similarity.js';
import { createCandidate } from './recall.fixture.js';
import type { RecallCandidate } from './types.js';

const SCALE: RedundancyScale = { sameTopic: 0.5, same: 0.9 };

/** A memory whose vector has this cosine with that of `at(1)`. */
const at = (cosine: number, content = `words of ${cosine}`) =>
  createCandidate(`${cosine}`, {
    kind: 'memory',
    content,
    vector: Float32Array.from([cosine, Math.sqrt(1 - cosine ** 2)]),
  });
const measure = (a: RecallCandidate, b: RecallCandidate, scale: RedundancyScale | null = SCALE) =>
  runAtOnce(createSimilarity(scale)(a, b));

describe('createSimilarity', () => {
  it.each([
    [-0.5, 0],
    [0.5, 0],
    [0.7, 0.5],
    [0.9, 1],
    [0.99, 1],
  ])('maps a cosine of %d to a redundancy of %d, whatever the words', (cosine, redundancy) => {
    expect(measure(at(1, 'red tea'), at(cosine, 'a boat'))).toBeCloseTo(redundancy, 5);
  });

  it('compares the words of a memory and a turn, which has no vector', () => {
    const turn = createCandidate('turn', { content: 'red tea at noon' });
    expect(measure(at(1, 'red tea at noon'), turn)).toBe(1);
    expect(measure(at(1, 'a boat'), turn)).toBe(0);
  });

  it('compares words only, where vectors have no scale', () => {
    expect(measure(at(1, 'red tea'), at(0.99, 'a boat'), null)).toBe(0);
    expect(measure(at(1, 'red tea'), at(-1, 'red tea'), null)).toBe(1);
  });
});

import { runAtOnce } from '../text/sliced.js';
import { type ComparedAnswer, createRedundancy, type RedundancyScale } from './measure-redundancy.js';
import { createCandidate } from './recall.fixture.js';

const SCALE: RedundancyScale = { sameTopic: 0.5, same: 0.9 };

/** A memory whose vector has this cosine with that of `at(1)`. */
const at = (cosine: number, content = `words of ${cosine}`): ComparedAnswer => ({
  candidate: createCandidate(`${cosine}`, {
    kind: 'memory',
    content,
    vector: Float32Array.from([cosine, Math.sqrt(1 - cosine ** 2)]),
  }),
  turn: null,
});
const turn = (content: string): ComparedAnswer => ({ candidate: createCandidate(content, { content }), turn: null });
const measure = (answer: ComparedAnswer, before: ComparedAnswer[], scale: RedundancyScale | null = SCALE) =>
  runAtOnce(createRedundancy(scale)(answer, before));

describe('createRedundancy', () => {
  it.each([
    [-0.5, 0],
    [0.5, 0],
    [0.7, 0.5],
    [0.9, 1],
    [0.99, 1],
  ])('maps a cosine of %d to a redundancy of %d, whatever the words', (cosine, redundancy) => {
    expect(measure(at(1, 'red tea'), [at(cosine, 'a boat')])).toBeCloseTo(redundancy, 5);
  });

  it('takes the nearest of several vectors', () => {
    expect(measure(at(1), [at(0.7), at(0.5), at(0.6)])).toBeCloseTo(0.5, 5);
  });

  it('compares the words of a memory and a turn, which has no vector', () => {
    expect(measure(at(1, 'red tea at noon'), [turn('red tea at noon')])).toBe(1);
    expect(measure(at(1, 'a boat'), [turn('red tea at noon')])).toBe(0);
  });

  it('compares words only, where vectors have no scale', () => {
    expect(measure(at(1, 'red tea'), [at(0.99, 'a boat')], null)).toBe(0);
    expect(measure(at(1, 'red tea'), [at(-1, 'red tea')], null)).toBe(1);
  });

  it('counts the words that several answers say together, the first 60 % of them as none', () => {
    const answer = turn('red tea, boat, moon, gate');
    expect(measure(answer, [turn('red tea')])).toBe(0);
    expect(measure(answer, [turn('red tea'), turn('red boat')])).toBe(0);
    expect(measure(answer, [turn('red tea'), turn('boat, moon')])).toBeCloseTo(0.5, 10);
    expect(measure(answer, [turn('red tea'), turn('boat, moon'), turn('the gate')])).toBe(1);
  });

  it('does not take a long answer for repeated because it has the words of a short one', () => {
    expect(measure(turn('red tea'), [turn('red tea at noon, a boat under the moon')])).toBe(1);
    expect(measure(turn('red tea at noon, a boat under the moon'), [turn('red tea')])).toBe(0);
  });

  it('compares the words of the turn behind a fact, which are served with it', () => {
    const fact = (words: string): ComparedAnswer => ({
      candidate: createCandidate('fact', { kind: 'memory', content: 'Ana likes red tea' }),
      turn: createCandidate('turn', { content: words }),
    });
    const other = turn('Ana likes red tea');
    expect(measure(fact('red tea for me'), [other])).toBe(1);
    expect(measure(fact('tea, with a boat, moon, garden and gate'), [other])).toBe(0);
    expect(measure(turn('boat moon'), [fact('a boat, the moon')])).toBe(1);
  });

  it('compares with what was added since it was asked last', () => {
    const redundancy = createRedundancy(null);
    const answer = turn('red tea, boat, moon');
    const before = [turn('red tea')];
    expect(runAtOnce(redundancy(answer, before))).toBe(0);
    expect(runAtOnce(redundancy(answer, [...before, turn('boat, moon')]))).toBe(1);
  });
});

import { REDACTION_CORPUS } from './corpus.fixture.js';
import { LATER_UNSEEN_CORPUS } from './later-unseen.fixture.js';
import { measureGroup } from './measure-corpus.fixture.js';
import { UNSEEN_CORPUS } from './unseen.fixture.js';

const MIN_FOUND = 0.92;
const MAX_FALSE = 0.01;

const groups = Object.entries(REDACTION_CORPUS);
const results = groups.map(([name, group]) => ({ name, ...measureGroup(group) }));
const sum = (count: (result: (typeof results)[number]) => number) => results.reduce((all, one) => all + count(one), 0);
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

describe('the redaction corpus', () => {
  it('has at least 400 different texts, about half of them without personal data', () => {
    const positives = groups.flatMap(([, group]) => group.positives.map(String));
    const negatives = groups.flatMap(([, group]) => group.negatives.map(String));
    expect(new Set([...positives, ...negatives]).size).toBe(positives.length + negatives.length);
    expect(positives.length + negatives.length).toBeGreaterThanOrEqual(400);
    expect(Math.abs(positives.length / (positives.length + negatives.length) - 0.5)).toBeLessThan(0.1);
  });

  for (const { name, positives, negatives, missed, falsePositives } of results) {
    const found = positives - missed.length;
    it(`${name}: found ${percent(found, positives)}, false ${percent(falsePositives.length, negatives)}`, () => {
      // The texts beyond the bound, so that a failure names them.
      expect(missed.slice(Math.floor((1 - MIN_FOUND) * positives))).toEqual([]);
      expect(falsePositives.slice(Math.floor(MAX_FALSE * negatives))).toEqual([]);
    });
  }

  const [positives, negatives] = [sum((result) => result.positives), sum((result) => result.negatives)];
  const found = positives - sum(({ missed }) => missed.length);
  const falsePositives = sum((result) => result.falsePositives.length);
  it(`in all: found ${percent(found, positives)}, false ${percent(falsePositives, negatives)}`, () => {
    expect(found / positives).toBeGreaterThanOrEqual(MIN_FOUND);
    expect(falsePositives / negatives).toBeLessThanOrEqual(MAX_FALSE);
  });
});

describe.each([
  ['a second corpus, written after the detectors', UNSEEN_CORPUS],
  ['a third corpus, written after the second', LATER_UNSEEN_CORPUS],
] as const)('%s', (_name, corpus) => {
  const unseen = corpus.map(measureGroup);
  const count = (of: (result: (typeof unseen)[number]) => number) => unseen.reduce((all, one) => all + of(one), 0);

  it('is found within the bounds', () => {
    const [positives, negatives] = [count((result) => result.positives), count((result) => result.negatives)];
    const missed = unseen.flatMap((result) => result.missed);
    const falsePositives = unseen.flatMap((result) => result.falsePositives);
    expect(missed.slice(Math.floor((1 - MIN_FOUND) * positives))).toEqual([]);
    expect(falsePositives.slice(Math.floor(MAX_FALSE * negatives))).toEqual([]);
  });
});

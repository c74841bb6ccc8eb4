import { REDACTION_CORPUS } from './corpus.fixture.js';
import { measureGroup } from './measure-corpus.fixture.js';

const groups = Object.entries(REDACTION_CORPUS);
const results = groups.map(([name, group]) => ({ name, ...measureGroup(group) }));
const percent = (part: number, whole: number) => ((100 * part) / whole).toFixed(1);

describe('the redaction corpus', () => {
  it('has at least 400 different texts, about half of them without personal data', () => {
    const positives = groups.flatMap(([, group]) => group.positives.map(String));
    const negatives = groups.flatMap(([, group]) => group.negatives.map(String));
    expect(new Set([...positives, ...negatives]).size).toBe(positives.length + negatives.length);
    expect(positives.length + negatives.length).toBeGreaterThanOrEqual(400);
    expect(Math.abs(positives.length / (positives.length + negatives.length) - 0.5)).toBeLessThan(0.1);
  });

  const sum = (count: (result: (typeof results)[number]) => number) =>
    results.reduce((all, one) => all + count(one), 0);
  const [positives, negatives] = [sum((result) => result.positives), sum((result) => result.negatives)];
  const found = positives - sum(({ missed }) => missed.length);
  const falsePositives = sum((result) => result.falsePositives.length);

  it(`is found to ${percent(found, positives)} %, with ${percent(falsePositives, negatives)} % false`, () => {
    expect(found / positives).toBeGreaterThan(0.5);
    expect(falsePositives / negatives).toBeLessThan(0.07);
  });
});

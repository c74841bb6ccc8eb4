import { judgePair, type PairVerdict, rate, reportBy } from './judge-pair.fixture.js';
import { STATEMENT_PAIRS } from './pairs.fixture.js';

/** In per cent. A false closing is worse than a missed one. */
const MAX_FALSE_CLOSINGS = 1;
const MIN_FOUND = 80;
/** Of the third that no rule was written for. */
const MIN_FOUND_HELD_OUT = 76;

describe('what a later statement does to an earlier one, by rules', () => {
  let verdicts: readonly PairVerdict[];
  beforeAll(() => {
    verdicts = STATEMENT_PAIRS.map(judgePair);
    const lines = [
      ...reportBy(verdicts, ({ isHeldOut }) => (isHeldOut ? 'held out' : 'development')),
      ...reportBy(verdicts, ({ domain }) => domain),
      ...reportBy(verdicts, ({ effect, kind }) => `${effect}, ${kind}`),
    ];
    process.stdout.write(lines.map((line) => `figure: ${line}\n`).join(''));
  });

  it('is told by at least 600 pairs in ten domains, half of which only look alike', () => {
    expect(STATEMENT_PAIRS.length).toBeGreaterThanOrEqual(600);
    expect(new Set(STATEMENT_PAIRS.map(({ domain }) => domain)).size).toBe(10);
    const alike = STATEMENT_PAIRS.filter(({ effect }) => effect === 'stays');
    expect(alike.length / STATEMENT_PAIRS.length).toBeGreaterThanOrEqual(0.5);
  });

  it.each([false, true])('closes little falsely and finds most (held out: %s)', (isHeldOut) => {
    const { found, falseClosings } = rate(verdicts.filter(({ pair }) => pair.isHeldOut === isHeldOut));
    expect(falseClosings).toBeLessThanOrEqual(MAX_FALSE_CLOSINGS);
    expect(found).toBeGreaterThanOrEqual(isHeldOut ? MIN_FOUND_HELD_OUT : MIN_FOUND);
  });

  it('finds most of all pairs', () => {
    expect(rate(verdicts).found).toBeGreaterThanOrEqual(MIN_FOUND);
  });

  it('closes nothing when a statement is repeated', () => {
    const repeated = verdicts.filter(({ pair }) => pair.effect === 'restates');
    expect(repeated.filter(({ isFalseClosing }) => isFalseClosing)).toEqual([]);
  });
});

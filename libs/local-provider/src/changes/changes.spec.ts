import { judgePair, rate, reportBy } from './judge-pair.fixture.js';
import { STATEMENT_PAIRS } from './pairs.fixture.js';

describe('what a later statement does to an earlier one', () => {
  it('is listed by domain and kind', () => {
    const verdicts = STATEMENT_PAIRS.map(judgePair);
    const lines = [
      ...reportBy(verdicts, ({ isHeldOut }) => (isHeldOut ? 'held out' : 'development')),
      ...reportBy(verdicts, ({ domain }) => domain),
      ...reportBy(verdicts, ({ effect, kind }) => `${effect}, ${kind}`),
    ];
    process.stdout.write(lines.map((line) => `figure: ${line}\n`).join(''));
    expect(rate(verdicts).pairs).toBeGreaterThanOrEqual(600);
  });
});

import { compareInsights } from './compare-insights.js';
import { INSIGHT_PAIRS } from './insight-pairs.fixture.js';

describe('compareInsights', () => {
  it.each(INSIGHT_PAIRS)('“%s”, then “%s”: %s', (earlier, newer, verdict) => {
    expect(compareInsights(earlier, newer, ['Ana'])).toBe(verdict);
  });
});

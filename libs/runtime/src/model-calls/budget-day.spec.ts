import fc from 'fast-check';
import { findNextBudgetDay, listOpenDays, toBudgetDay } from './budget-day.js';

describe('the budget day', () => {
  it('changes at midnight UTC', () => {
    const midnight = Date.UTC(2026, 0, 1);
    expect([midnight - 1, midnight].map(toBudgetDay)).toEqual(['2025-12-31', '2026-01-01']);
    expect(findNextBudgetDay(midnight - 1)).toBe(midnight);
    expect(findNextBudgetDay(midnight)).toBe(Date.UTC(2026, 0, 2));
    expect(listOpenDays(midnight)).toEqual(['2026-01-01', '2025-12-31']);
  });

  it('always ends where the next one begins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), (now) => {
        const next = findNextBudgetDay(now);
        expect(next).toBeGreaterThan(now);
        expect(toBudgetDay(next - 1)).toBe(toBudgetDay(now));
        expect(toBudgetDay(next)).not.toBe(toBudgetDay(now));
      }),
    );
  });
});

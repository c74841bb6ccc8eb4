import { findNextSlot } from './next-slot.js';
import { DAY_MS } from './types.js';

const NOW = Date.UTC(2026, 4, 20, 12);

describe('the daily slot of a user', () => {
  it('is the same time of every day, within the next 24 hours', () => {
    const slot = findNextSlot('tenant', 'user', NOW);
    expect(slot).toBeGreaterThan(NOW);
    expect(slot).toBeLessThanOrEqual(NOW + DAY_MS);
    expect(findNextSlot('tenant', 'user', slot - 1)).toBe(slot);
    expect(findNextSlot('tenant', 'user', slot)).toBe(slot + DAY_MS);
  });

  it('spreads users over the day', () => {
    const hours = Array.from({ length: 2_400 }, (_, user) =>
      Math.floor((findNextSlot('tenant', `user-${user}`, NOW) % DAY_MS) / 3_600_000),
    );
    const counts = Map.groupBy(hours, (hour) => hour);
    expect(counts.size).toBe(24);
    expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThan(200);
  });
});

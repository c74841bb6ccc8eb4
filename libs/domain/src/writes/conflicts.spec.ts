import { timeStatement } from './conflicts.js';

const TOLD = Date.UTC(2026, 4, 10);

describe('the time at which an event counts as asserted', () => {
  it.each([
    ['The user moved to Berlin in 2019.', '2019-12-31T23:59:59.999Z'],
    ['The user moved to Berlin in 2019 using a van.', '2019-12-31T23:59:59.999Z'],
    ['The user moved to Berlin in April 2019.', '2019-04-30T23:59:59.999Z'],
    ['The user moved to Berlin on 3 March 2019.', '2019-01-01T00:00:00.000Z'],
    ['The user moved to Berlin.', '2019-01-01T00:00:00.000Z'],
    ['The user moved to Berlin in 2031.', '2026-05-10T00:00:00.000Z'],
  ])('of %s is %s, the end of its period, and not later than it was told', (content, assertedAt) => {
    const statement = { content, type: 'episodic', origin: 'extraction', validFrom: Date.UTC(2019, 0, 1) } as const;
    expect(new Date(timeStatement({ ...statement, saidAt: TOLD }).assertedAt).toISOString()).toBe(assertedAt);
  });
});

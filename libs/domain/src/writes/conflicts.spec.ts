import { timeStatement } from './conflicts.js';

const TOLD = Date.UTC(2026, 4, 10);
const BEGAN = Date.UTC(2019, 0, 1);

describe('the time at which a statement counts as reported', () => {
  it.each([
    'The user moved to Berlin in 2019.',
    'The user moved to Berlin in April 2019.',
    'The user moved to Berlin on 3 March 2019.',
    'The user has been living in Berlin since 2019.',
    'The user lives in Berlin.',
  ])('of %s is when it was told, whatever date it names', (content) => {
    const statement = { content, type: 'episodic', origin: 'extraction', validFrom: BEGAN, saidAt: TOLD } as const;
    expect(timeStatement(statement)).toMatchObject({ begins: BEGAN, assertedAt: TOLD });
  });

  it('is not before it begins', () => {
    const content = 'The user moved to Berlin in 2031.';
    const begins = Date.UTC(2031, 0, 1);
    const statement = { content, type: 'episodic', origin: 'extraction', validFrom: begins, saidAt: TOLD } as const;
    expect(timeStatement(statement).assertedAt).toBe(begins);
  });

  it('of a memory added through the API is when it is said to begin', () => {
    const content = 'The user moved to Berlin in 2019.';
    const statement = { content, type: 'episodic', origin: 'manual', validFrom: BEGAN, saidAt: TOLD } as const;
    expect(timeStatement(statement).assertedAt).toBe(BEGAN);
  });
});

describe('what a statement does to others of its kind', () => {
  it.each([
    ['The user trains on Fridays.', 'Actually, I train on Fridays', 'instead'],
    ['The user trains on Fridays now.', 'I train on Fridays now', 'instead'],
    ['The user also trains on Fridays.', 'Actually, I also train on Fridays', 'beside'],
    ['The user trains on Fridays.', 'Actually, I train on Fridays too', 'beside'],
    ['The user trains on Fridays now.', 'I also train on Fridays now', 'beside'],
    ['The user works at Bosch.', 'I also work at Bosch.', 'beside'],
    ["The user's bank is Revolut.", 'Actually, my bank is also Revolut', 'beside'],
  ])('%s, from “%s”: %s', (content, quote, mode) => {
    const told = { content, type: 'semantic', origin: 'extraction', validFrom: TOLD, saidAt: TOLD } as const;
    expect(timeStatement({ ...told, sources: [{ messageId: 'm', quote }] }).slot).toMatchObject({ mode });
  });

  it.each([
    ['The user works at Bosch.', 'I work at Bosch'],
    ['The user works at Bosch.', 'I work at Bosch, and I also got a dog'],
    ['The user moved to Munich.', 'I also moved to Munich'],
  ])('%s, from “%s”: replaces the value', (content, quote) => {
    const told = { content, type: 'semantic', origin: 'extraction', validFrom: TOLD, saidAt: TOLD } as const;
    const { slot } = timeStatement({ ...told, sources: [{ messageId: 'm', quote }] });
    expect(slot).not.toBeNull();
    expect(slot).not.toHaveProperty('mode');
  });
});

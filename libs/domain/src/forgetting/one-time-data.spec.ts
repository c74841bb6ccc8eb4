import { findOneTimeData } from './one-time-data.js';

const DAY_MS = 86_400_000;
const SAID = Date.UTC(2026, 4, 4, 12);

const daysOf = (text: string) => {
  const { expiresAt } = findOneTimeData(text, SAID);
  return expiresAt === null ? null : Math.ceil((expiresAt - SAID) / DAY_MS);
};

describe('one-time data', () => {
  it.each([
    ['My verification code is 482913.', 1],
    ['The one-time password was sent: otp code [redacted secret].', 1],
    ['My reset link is https://accounts.example/reset/abc.', 7],
    ['Join the meeting here: https://meet.example/abc', 7],
    ['My concert ticket is AB-410007.', 7],
    ['My boarding pass has the number QX410007.', 7],
    ['The voucher code is SPRING-410007.', 7],
    ['The tracking number of my parcel is QX410007.', 7],
    ['My concert ticket QX410007 is for 30 May 2026.', 28],
  ])('"%s" is of use for %i days', (text, days) => {
    expect(daysOf(text)).toBe(days);
  });

  it.each([
    'I live in Lisbon.',
    'My postal code is 1100-148.',
    'I wrote the code for the ticket system.',
    'My homepage is https://ana.example.',
    'The dress code is formal.',
    'I have a season ticket for the opera.',
    'Country code 351 is Portugal.',
    'I like to code at night.',
    'I joined a club in 2019.',
  ])('"%s" is none', (text) => {
    expect(daysOf(text)).toBeNull();
  });

  it('is found by its sentence, and nothing else of the text', () => {
    const text = 'I like tea. My reset link is https://accounts.example/abc. My cat is old.';
    const { spans } = findOneTimeData(text, SAID);
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      'My reset link is https://accounts.example/abc.',
    ]);
  });

  it('is not looked for in a document', () => {
    expect(daysOf(`${'word '.repeat(1_000)}My verification code is 482913.`)).toBeNull();
  });
});

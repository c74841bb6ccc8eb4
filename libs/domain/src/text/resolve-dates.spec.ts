import fc from 'fast-check';
import { annotateDates, resolveDates } from './resolve-dates.js';

/** A Friday. */
const SAID_AT = Date.UTC(2024, 2, 15, 18, 30);

describe('resolveDates', () => {
  it.each([
    ['we met yesterday', '14 March 2024'],
    ['the day before yesterday it rained', '13 March 2024'],
    ['Last night was long', '14 March 2024'],
    ['see you tomorrow', '16 March 2024'],
    ['last Friday', '8 March 2024'],
    ['next fri', '22 March 2024'],
    ['past Tuesday', '12 March 2024'],
    ['last week', 'the week before 15 March 2024'],
    ['next week', 'the week after 15 March 2024'],
    ['this past weekend', 'weekend of 9 March 2024'],
    ['next weekend', 'weekend of 16 March 2024'],
    ['last month', 'February 2024'],
    ['next month', 'April 2024'],
    ['last year', '2023'],
    ['next year', '2025'],
    ['last summer', 'summer 2023'],
    ['last winter', 'winter 2023'],
    ['next fall', 'fall 2024'],
    ['3 days ago', '12 March 2024'],
    ['a couple of weeks ago', 'week of 1 March 2024'],
    ['three months ago', 'December 2023'],
    ['a year ago', '2023'],
  ])('resolves %j to %j', (text, label) => {
    expect(resolveDates(text, SAID_AT).map((date) => date.label)).toEqual([label]);
  });

  it.each(['on Friday', 'a few days ago', 'the last piece', 'every week', 'in May', 'next to the weekend house'])(
    'does not resolve %j, which is ambiguous',
    (text) => {
      expect(resolveDates(text, SAID_AT)).toEqual([]);
    },
  );

  it('returns the day at 00:00 UTC, and null for longer periods', () => {
    expect(resolveDates('yesterday, last month', SAID_AT).map(({ day }) => day)).toEqual([Date.UTC(2024, 2, 14), null]);
  });

  it('resolves "last" and "next" of a weekday to that weekday, one to seven days away', () => {
    const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    fc.assert(
      fc.property(fc.nat({ max: 20_000 }), fc.nat({ max: 6 }), fc.boolean(), (days, weekday, isPast) => {
        const today = days * 86_400_000;
        const [date] = resolveDates(`${isPast ? 'last' : 'next'} ${weekdays[weekday]}`, today + 5_000);
        const away = ((date!.day! - today) / 86_400_000) * (isPast ? -1 : 1);
        expect(away >= 1 && away <= 7).toBe(true);
        expect(new Date(date!.day!).getUTCDay()).toBe(weekday);
      }),
    );
  });

  it('resolves nothing without a valid time', () => {
    expect(resolveDates('yesterday', Number.NaN)).toEqual([]);
  });
});

describe('annotateDates', () => {
  it('annotates each relative date once', () => {
    const once = annotateDates('Yesterday I ran, and last week too.', SAID_AT);
    expect(once).toBe('Yesterday (14 March 2024) I ran, and last week (the week before 15 March 2024) too.');
    expect(annotateDates(once, SAID_AT)).toBe(once);
  });

  it('only ever adds to a text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(annotateDates(text, SAID_AT).length).toBeGreaterThanOrEqual(text.length);
      }),
    );
  });
});

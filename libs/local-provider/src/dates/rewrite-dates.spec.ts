import fc from 'fast-check';
import { rewriteDates } from './rewrite-dates.js';

// A Monday.
const SAID_AT = Date.UTC(2023, 4, 8, 13, 56);
const day = (startsAt: number | undefined) =>
  startsAt === undefined ? undefined : new Date(startsAt).toISOString().slice(0, 10);

describe('rewriteDates', () => {
  it.each([
    ['Ana ran yesterday', 'Ana ran on 7 May 2023', '2023-05-07'],
    ['Ana ran the day before yesterday', 'Ana ran on 6 May 2023', '2023-05-06'],
    ['Ana ran last Friday', 'Ana ran on 5 May 2023', '2023-05-05'],
    ['Ana ran last Monday', 'Ana ran on 1 May 2023', '2023-05-01'],
    ['Ana ran last Tues', 'Ana ran on 2 May 2023', '2023-05-02'],
    ['Ana ran on Sunday', 'Ana ran on 7 May 2023', '2023-05-07'],
    ['Ana ran last week', 'Ana ran in the week of 1 May 2023', '2023-05-01'],
    ['Ana ran last weekend', 'Ana ran on the weekend of 6 May 2023', '2023-05-06'],
    ['Ana ran last month', 'Ana ran in April 2023', '2023-04-01'],
    ['Ana ran last year', 'Ana ran in 2022', '2022-01-01'],
    ['Ana ran last summer', 'Ana ran in summer 2022', '2022-06-01'],
    ['Ana ran two weeks ago', 'Ana ran in the week of 24 April 2023', '2023-04-24'],
    ['Ana ran a few weeks ago', 'Ana ran a few weeks before 8 May 2023', '2023-04-17'],
    ['Ana ran three days ago', 'Ana ran on 5 May 2023', '2023-05-05'],
    ['Ana ran on 8 May', 'Ana ran on 8 May 2023', '2023-05-08'],
    ['Ana ran on May 9th', 'Ana ran on 9 May 2022', '2022-05-09'],
    ['Ana ran on 9 May 2021', 'Ana ran on 9 May 2021', '2021-05-09'],
    ['Ana ran in March', 'Ana ran in March 2023', '2023-03-01'],
    ['Ana ran in 2019', 'Ana ran in 2019', '2019-01-01'],
    ['Ana ran this morning', 'Ana ran on 8 May 2023 (morning)', '2023-05-08'],
    ['Ana ran the other day', 'Ana ran the other day', undefined],
    ['Ana ran on 31 February', 'Ana ran on 31 February', undefined],
    ['Ana ran 10 miles', 'Ana ran 10 miles', undefined],
  ])('of the past: %s', (said, text, start) => {
    const dated = rewriteDates(said, SAID_AT, true);
    expect([dated.text, day(dated.startsAt)]).toEqual([text, start]);
  });

  it.each([
    ['Ana runs tomorrow', 'Ana runs on 9 May 2023', '2023-05-09'],
    ['Ana runs on Friday', 'Ana runs on 12 May 2023', '2023-05-12'],
    ['Ana runs this Friday', 'Ana runs on 12 May 2023', '2023-05-12'],
    ['Ana runs next Friday', 'Ana runs on 19 May 2023', '2023-05-19'],
    ['Ana runs next month', 'Ana runs in June 2023', '2023-06-01'],
    ['Ana runs in two weeks', 'Ana runs in the week of 22 May 2023', '2023-05-22'],
    ['Ana runs by 15 May', 'Ana runs by 15 May 2023', '2023-05-15'],
    ['Ana runs in March', 'Ana runs in March 2024', '2024-03-01'],
    ['Ana runs next summer', 'Ana runs in summer 2023', '2023-06-01'],
  ])('of the future: %s', (said, text, start) => {
    const dated = rewriteDates(said, SAID_AT, false);
    expect([dated.text, day(dated.startsAt)]).toEqual([text, start]);
  });

  it('crosses the end of a year and of February', () => {
    expect(rewriteDates('Ana ran yesterday', Date.UTC(2024, 0, 1), true).text).toBe('Ana ran on 31 December 2023');
    expect(rewriteDates('Ana runs tomorrow', Date.UTC(2024, 1, 28), false).text).toBe('Ana runs on 29 February 2024');
    expect(rewriteDates('Ana ran last month', Date.UTC(2024, 2, 31), true).text).toBe('Ana ran in February 2024');
  });

  it('resolves several dates, and the first in the text counts', () => {
    const dated = rewriteDates('Ana moved in 2018 and ran yesterday', SAID_AT, true);
    expect([dated.text, day(dated.startsAt)]).toEqual(['Ana moved in 2018 and ran on 7 May 2023', '2018-01-01']);
  });

  it('is stable: a resolved text resolves to itself', () => {
    const said = fc.constantFrom('yesterday', 'last Friday', 'two weeks ago', 'last month', 'on 8 May', 'last weekend');
    fc.assert(
      fc.property(said, fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) }), (phrase, saidAt) => {
        const { text } = rewriteDates(`Ana ran ${phrase}`, saidAt, true);
        expect(rewriteDates(text, saidAt, true).text).toBe(text);
      }),
    );
  });
});

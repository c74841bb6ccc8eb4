import { renderDate } from './render-date.js';
import { resolveDates } from './resolve-dates.js';

/** A Friday. */
const SAID_AT = Date.UTC(2024, 2, 15, 18, 30);

describe('renderDate', () => {
  it.each([
    ['we met yesterday', '14 March 2024'],
    ['the day before yesterday it rained', '13 March 2024'],
    ['Last night was long', '14 March 2024'],
    ['see you tomorrow', '16 March 2024'],
    ['last Friday', '8 March 2024'],
    ['next fri', '22 March 2024'],
    ['past Tuesday', '12 March 2024'],
    ['on Friday', '22 March 2024'],
    ['June 3-5, 2022', '3 June 2022 to 5 June 2022'],
    ['last week', 'week of 4 March 2024'],
    ['next week', 'week of 18 March 2024'],
    ['this past weekend', 'weekend of 9 March 2024'],
    ['next weekend', 'weekend of 23 March 2024'],
    ['last month', 'February 2024'],
    ['next month', 'April 2024'],
    ['in May', 'May 2024'],
    ['last year', '2023'],
    ['next year', '2025'],
    ['last summer', 'summer 2023'],
    ['last winter', 'winter 2023'],
    ['next fall', 'fall 2024'],
    ['3 days ago', '12 March 2024'],
    ['a couple of weeks ago', 'week of 26 February 2024'],
    ['three months ago', 'December 2023'],
    ['a year ago', '2023'],
  ])('renders %j as %j', (text, rendered) => {
    expect(resolveDates(text, SAID_AT).map(renderDate)).toEqual([rendered]);
  });

  it.each([
    'My birthday is on 8 May',
    'My birthday is in May',
    'every year on May 5',
    'a few days ago',
    'the last piece',
    'every week',
    'next to the weekend house',
    'the other day',
    'recently',
  ])('has nothing to render in %j, which names no single time', (text) => {
    expect(resolveDates(text, SAID_AT)).toEqual([]);
  });
});

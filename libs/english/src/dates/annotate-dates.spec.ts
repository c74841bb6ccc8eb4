import fc from 'fast-check';
import { annotateDates } from './annotate-dates.js';

/** A Friday. */
const SAID_AT = Date.UTC(2024, 2, 15, 18, 30);

describe('annotateDates', () => {
  it('annotates each date once', () => {
    const once = annotateDates('Yesterday I ran, and last week too.', SAID_AT);
    expect(once).toBe('Yesterday (Thursday 14 March 2024) I ran, and last week (week of 4 March 2024) too.');
    expect(annotateDates(once, SAID_AT)).toBe(once);
  });

  it('does not annotate a date with its year', () => {
    expect(annotateDates('I ran on 8 May 2023 and in March.', SAID_AT)).toBe(
      'I ran on 8 May 2023 and in March (March 2024).',
    );
  });

  it.each([
    ['We met last Friday.', 'We met last Friday (8 March 2024).'],
    ['We met last Fri at six.', 'We met last Fri (Friday 8 March 2024) at six.'],
    ['It opens on May 8.', 'It opens on May 8 (Wednesday 8 May 2024).'],
    ['We camp June 3-5.', 'We camp June 3-5 (3 June 2024 to 5 June 2024).'],
  ])('says the weekday of a day in %j where its words do not', (text, annotated) => {
    expect(annotateDates(text, SAID_AT)).toBe(annotated);
  });

  it('says from when a rough time is counted', () => {
    const once = annotateDates('I moved a few weeks ago, after I left several years back; today I rest.', SAID_AT);
    expect(once).toBe(
      'I moved a few weeks ago (a few weeks before 15 March 2024), after I left several years back ' +
        '(a few years before 15 March 2024); today (Friday 15 March 2024) I rest.',
    );
    expect(annotateDates(once, SAID_AT)).toBe(once);
    expect(annotateDates('I moved a few weeks ago.', Number.NaN)).toBe('I moved a few weeks ago.');
  });

  it.each([
    ['Seven years now, and I still paint.', 'Seven years now (since 2017), and I still paint.'],
    ['I have had them for 3 months now.', 'I have had them for 3 months now (since December 2023).'],
    ['It hurts, for a week now.', 'It hurts, for a week now (since the week of 4 March 2024).'],
    ['We go in two weeks now.', 'We go in two weeks (week of 25 March 2024) now.'],
    ['I painted for seven years.', 'I painted for seven years.'],
  ])('says since when what lasts in %j', (text, annotated) => {
    expect(annotateDates(text, SAID_AT)).toBe(annotated);
    expect(annotateDates(annotated, SAID_AT)).toBe(annotated);
  });

  it('only ever adds to a text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(annotateDates(text, SAID_AT).length).toBeGreaterThanOrEqual(text.length);
      }),
    );
  });
});

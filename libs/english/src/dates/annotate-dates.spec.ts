import { MAX_LINEAR_GROWTH, measureCpuGrowth } from '@annals/testing';
import fc from 'fast-check';
import { annotateDates } from './annotate-dates.js';
import { listDurations } from './list-durations.js';

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
    ['We have been married 5 years now.', 'We have been married 5 years now (since 2019).'],
    ['It has been a year now!', 'It has been a year now (since 2023)!'],
    ['I lived here for over two years now.', 'I lived here for over two years now (since 2022).'],
    ['I ran the last six months now.', 'I ran the last six months now (since September 2023).'],
    ['He is gone, almost 3 days now.', 'He is gone, almost 3 days now (since 12 March 2024).'],
    ['I run twice a week, for a couple of years now.', 'I run twice a week, for a couple of years now (since 2022).'],
    ['We go in two weeks now.', 'We go in two weeks (week of 25 March 2024) now.'],
  ])('says since when what lasts in %j', (text, annotated) => {
    expect(annotateDates(text, SAID_AT)).toBe(annotated);
    expect(annotateDates(annotated, SAID_AT)).toBe(annotated);
  });

  it.each([
    'I painted for seven years.',
    // Rates.
    'I work three days a week now.',
    'I have been working three days a week now.',
    'I pay 30 euros a month now.',
    'I have been paying 30 euros a month now.',
    'I call once a year now.',
    'We meet every two weeks now.',
    'We have been meeting every two weeks now.',
    'For 2 weeks now and then 3.',
    'Three days now per week.',
    'It used to take five days, four days now.',
    'Three days now instead of five.',
    // Parts of a longer number.
    'I have had it for 2.5 years now.',
    '2.5 years now, and it runs.',
    'Twenty five years now.',
    'I have been here twenty five years now.',
    'I have been here for twenty five years now.',
    'It stood for a hundred and ten years now.',
    'A hundred and ten years now.',
    'It has run for 1,500 days now.',
    '1,500 days now.',
    'I have been here two or three years now.',
    // Deadlines.
    'Only two weeks now until the wedding.',
    'Two weeks now until the wedding.',
    'Two weeks now, before the wedding.',
    'Three days now to go.',
    'We marry in just two weeks now.',
    'It is less than a week now.',
    'It is due within a month now.',
    'It is away for the next two weeks now.',
    // What something takes.
    'The delivery takes 3 weeks now.',
    'The delivery takes over 3 weeks now.',
    'It has been taking 3 weeks now.',
    'It is spread over three days now.',
  ])('says no beginning where nothing lasts until now in %j', (text) => {
    expect(listDurations(text, SAID_AT)).toEqual([]);
    expect(annotateDates(text, SAID_AT)).not.toContain('since');
  });

  it('says no beginning without a valid time, or before 1900', () => {
    expect(listDurations('Seven years now.', Number.NaN)).toEqual([]);
    expect(listDurations('For 200 years now.', SAID_AT)).toEqual([]);
  });

  it('only ever adds to a text', () => {
    const words =
      'yesterday|last Friday|in two weeks|a few weeks ago|several years back|seven years now|for 3 months now|a week now|' +
      'June 3-5|on 8 May|in March|next weekend|I ran|been|every|(|(x)|,|.|1.';
    const text = fc.array(fc.constantFrom(...words.split('|')), { maxLength: 8 }).map((list) => list.join(' '));
    let annotatedTexts = 0;
    fc.assert(
      fc.property(text, (original) => {
        const annotated = annotateDates(original, SAID_AT);
        if (annotated !== original) annotatedTexts += 1;
        let rest = 0;
        for (const letter of original) {
          const found = annotated.indexOf(letter, rest);
          expect(found).toBeGreaterThanOrEqual(rest);
          rest = found + 1;
        }
      }),
    );
    expect(annotatedTexts).toBeGreaterThan(50);
  });

  describe.each(['3 days now ', 'for 3 days now, ', 'few days ago '])('of %j repeated', (piece) => {
    it('is read as often as one of them, and not once more for each', () => {
      const matchAll = vi.spyOn(String.prototype, 'matchAll');
      const countReads = (text: string) => {
        matchAll.mockClear();
        annotateDates(text, SAID_AT);
        return matchAll.mock.calls.length;
      };
      const [once, often] = [countReads(piece), countReads(piece.repeat(200))];
      matchAll.mockRestore();
      expect(often).toBe(once);
    });

    it('takes linear time', () => {
      const work = (size: number) => annotateDates(piece.repeat(size / piece.length), SAID_AT);
      expect(measureCpuGrowth(work, 32_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    });
  });
});

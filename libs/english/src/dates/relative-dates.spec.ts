import fc from 'fast-check';
import { DATE_TABLE, HELD_OUT_TABLE, SECOND_HELD_OUT_TABLE } from './date-table.fixture.js';
import { RELATIVE_PATTERNS } from './relative-dates.js';

const SENTENCES = [DATE_TABLE, HELD_OUT_TABLE, SECOND_HELD_OUT_TABLE].flatMap((table) =>
  [...table.values()].flat().map(([, sentence]) => sentence),
);
const WORDS =
  'last this past coming next the in on at over during of ago back from now half a an and couple two twelve 3 12 ' +
  'day days week weekend fortnight month years Monday tues WED thu Fri sat Sunday spring summer fall autumn winter ' +
  'January may Sept. dec 1999 2024 3rd 21st 2nd before after yesterday tomorrow tmrw today tonight morning night evening ' +
  "afternoon time week's about early-";
/** Of rules that single words rarely make. */
const PHRASES = [
  'the weekend before last',
  'the Sunday after next',
  'Monday of next week',
  'last week, on Monday',
  'two years and a half ago',
  'three days back today',
  'a week from Friday',
  'in about two weeks’ time',
  'over the weekend',
  'the winter of 2019',
];

describe('the patterns of relative dates', () => {
  it('match nothing without the part that is looked for first', () => {
    const anyWords = fc
      .array(fc.constantFrom(...WORDS.split(' '), ...PHRASES, ','), { maxLength: 12 })
      .map((list) => list.join(' '));
    const matchesNeed = (text: string) =>
      RELATIVE_PATTERNS.forEach(({ needs, pattern }) => {
        for (const [match] of text.matchAll(pattern)) expect(match).toMatch(needs);
      });
    SENTENCES.forEach(matchesNeed);
    fc.assert(fc.property(anyWords, matchesNeed), { numRuns: 500 });
  });

  it('are each tried by a sentence of the tables or a phrase', () => {
    const found = RELATIVE_PATTERNS.filter(({ needs, pattern }) =>
      [...SENTENCES, ...PHRASES].some((sentence) => needs.test(sentence) && sentence.match(pattern)),
    );
    expect(found).toHaveLength(RELATIVE_PATTERNS.length);
  });
});

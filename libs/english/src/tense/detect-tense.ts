import { PAST_FORMS, UNCHANGED_PAST_FORMS } from './past-forms.js';

/** Where a sentence is in time: "on Friday" is in the past in "I met her on Friday". */
export type Tense = 'past' | 'present' | 'future';

/** In UTF-16 units: how far on either side of a time a verb is searched, within the sentence. */
const MAX_DISTANCE = 160;
const BE = "(?:\\b(?:is|are|am|be|being|gets?|getting|stays?|remains?)|['’](?:m|re|s))";
const IRREGULAR = [...PAST_FORMS, ...UNCHANGED_PAST_FORMS].join('|');
const PARTICIPLE = `(?:\\w+(?:ed|en)|${IRREGULAR})`;
/** A longer mark hides the words in it: "is booked", "to put" and "the retired" are not in the past. */
const MARKS = new RegExp(
  `(?<future>(?:\\b(?:will|shall|won['’]t|going\\sto|gonna|let['’]s|let\\sme|see\\syou)|['’]ll)(?![\\w-])(?:\\s\\w+)?|${BE}(?:\\s(?:not|all|both|also))?\\s\\w+ing\\b(?:\\s${PARTICIPLE})?)` +
    `|(?<present>${BE}(?:\\s(?:not|so|now|\\w+ly))?\\s${PARTICIPLE}\\b|['’](?:ve|s)\\sgot\\b|\\b(?:have|has)\\s(?:got|to)\\b|\\b(?:is|are|am|have|has|can|cannot|must|should|may|might|need|needs|do|does|could\\syou|would\\syou)(?:n['’]t)?(?![\\w-]))` +
    `|\\bto\\s\\w+|\\b(?:the|an?|my|our|your|his|her|their|its)\\s\\w+|\\b(?:of|with)\\s\\w+ed\\b|\\b(?:bed|shed|seed|feed|speed|indeed|hundred|wed|red|let)\\b` +
    `|(?<past>\\bdid(?:n['’]t)?(?:\\s(?:not|i|you|he|she|it|we|they))?\\s\\w+|\\b(?:${IRREGULAR}|could(?=n['’]t|\\snot))(?:n['’]t)?(?![\\w-])|\\b[a-z]{2,}ed\\b)`,
  'gi',
);
const HABIT = /\b(?:every|each|usually|always|often|sometimes|normally|generally|typically|whenever)\b/i;

/** The tense of the last verb before the part `start` to `end`, else of the first after it; undefined without any. */
export function detectTense(text: string, start: number, end: number): Tense | undefined {
  const [before, after] = cutSentence(text, start, end);
  return listTenses(before).at(-1) ?? listTenses(after)[0];
}

/** Whether a sentence is about what happens repeatedly, so that the days it names are no single day. */
export function describesHabit(text: string, start: number, end: number): boolean {
  return cutSentence(text, start, end).some((part) => HABIT.test(part));
}

function cutSentence(text: string, start: number, end: number): readonly [before: string, after: string] {
  const before = text.slice(Math.max(0, start - MAX_DISTANCE), start);
  const after = text.slice(end, end + MAX_DISTANCE);
  return [before.slice(before.search(/[^.!?;\n]*$/)), after.slice(0, after.search(/[.!?;\n]|$/))];
}

function listTenses(part: string): Tense[] {
  const tenses = ['past', 'present', 'future'] as const;
  return Array.from(part.matchAll(MARKS), ({ groups }) =>
    tenses.filter((tense) => groups![tense] !== undefined),
  ).flat();
}

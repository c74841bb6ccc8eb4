import { PAST_FORMS, UNCHANGED_PAST_FORMS } from './past-forms.js';

/** Function words that together identify English: a text without any of them does not count as English. */
const ENGLISH = /\b(?:the|of|to|and|with|for|on|at|from|by|was|were|is|has|had|their|an|about|after|into)\b/i;

/** Besides finite past forms: forms that can be present or a noun as well, modals and participles. */
const OTHER_FORMS = 'lay bound ground wound could would should might been done gone seen taken given born'.split(' ');
const FORMS: ReadonlySet<string> = new Set([...PAST_FORMS, ...UNCHANGED_PAST_FORMS, ...OTHER_FORMS]);

/**
 * Whether a sentence is in the past tense, as an episodic memory must be. Only English is checked: for a text that
 * seems to be in another language, or is too short to decide, the result is true.
 */
export function isPastTense(content: string): boolean {
  if (!ENGLISH.test(content)) return true;
  const words = content.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.some((word) => FORMS.has(word) || (word.length > 3 && word.endsWith('ed')));
}

/** Past forms of irregular verbs that are no other common word; the regular ones end in "-ed". */
export const PAST_FORMS: readonly string[] = (
  'was were had did went got came saw made took gave found told felt left kept began lost met bought brought thought ' +
  'taught caught fought sold said paid sent spent built held led ran won sat stood understood wrote drove rode rose ' +
  'broke spoke chose froze woke awoke stole swore wore bore tore wove grew flew knew threw drew withdrew blew ate fell ' +
  'forgot became overcame arose sang swam drank rang sank quit bit hid slid slept swept wept dealt meant dreamt learnt ' +
  'burnt spelt spilt smelt lent bent lit fed bled fled bred sped hung dug stuck struck swung stung spun shone shot ' +
  'sought laid heard shook undertook misunderstood rebuilt retold redid underwent'
).split(' ');

/** Irregular verbs whose past form is that of the present. */
export const UNCHANGED_PAST_FORMS: readonly string[] =
  'put cut hit hurt shut set let cost split spread bet beat read reread'.split(' ');

/** Function words that together identify English: a text without any of them does not count as English. */
const ENGLISH = /\b(?:the|of|to|and|with|for|on|at|from|by|was|were|is|has|had|their|an|about|after|into)\b/i;

/** Besides finite past forms: forms that can be present or a noun as well, modals and participles. */
const OTHER_FORMS = 'lay bound ground wound could would should might been done gone seen taken given born'.split(' ');
const FORMS: ReadonlySet<string> = new Set([...PAST_FORMS, ...UNCHANGED_PAST_FORMS, ...OTHER_FORMS]);

/** Finite present and future forms of frequent verbs that every subject can have. */
const PRESENT_FORMS: ReadonlySet<string> = new Set(
  'is are am has have does do will shall can must may wants needs plans hopes likes intends'.split(' '),
);
/** The verb of the third person behind its subject: "The user goes", "Ana often works". */
const PRESENT_VERB =
  /^(?:[Tt]he user|\p{Lu}[\p{L}’'-]*)(?: and \p{Lu}[\p{L}’'-]*)? (?:(?:always|often|never|also|still|now|usually|sometimes|\p{L}+ly) )?\p{Ll}+[^\P{Ll}s]s(?![\p{L}'’])/u;

/**
 * Whether a sentence is in the present or future tense, as no episodic memory may be. Only English is checked, and only
 * forms that are surely no past: a note without a verb ("Lunch with Ana on 3 May") is in no tense.
 */
export function isPresentTense(content: string): boolean {
  if (!ENGLISH.test(content)) return false;
  // "May" and "Will" are names.
  const words = content.match(/\p{L}+/gu) ?? [];
  if (words.some((word) => FORMS.has(word.toLowerCase()) || (word.length > 3 && word.endsWith('ed')))) return false;
  return words.some((word) => PRESENT_FORMS.has(word)) || PRESENT_VERB.test(content);
}

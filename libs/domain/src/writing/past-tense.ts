/** Function words that together identify English: a text without any of them does not count as English. */
const ENGLISH = /\b(?:the|of|to|and|with|for|on|at|from|by|was|were|is|has|had|their|an|about|after|into)\b/i;

/** Irregular past forms; the regular ones end in "-ed". */
const IRREGULAR = new Set(
  (
    'was were had did went got came saw made took gave found told felt left kept began lost met bought brought thought ' +
    'taught caught fought sold said paid sent spent built held led read ran won sat stood understood wrote drove rode ' +
    'rose broke spoke chose froze woke stole wore tore grew flew knew threw drew blew ate fell forgot became sang swam ' +
    'drank rang sank put cut hit hurt shut set let quit cost split spread bet beat bit hid slid slept swept wept dealt ' +
    'meant dreamt learnt burnt spelt spilt smelt lent bent lit fed bled fled bred sped hung dug stuck struck swung stung ' +
    'spun shone shot sought bound ground wound laid lay lied died tied tried cried could would should might heard shook ' +
    'awoke arose bore swore wove withdrew overcame undertook misunderstood rebuilt reread retold redid underwent been ' +
    'done gone seen taken given born'
  ).split(' '),
);

/**
 * Whether a sentence is in the past tense, as an episodic memory must be. Only English is checked: for a text that
 * seems to be in another language, or is too short to decide, the result is true.
 */
export function isPastTense(content: string): boolean {
  if (!ENGLISH.test(content)) return true;
  const words = content.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.some((word) => IRREGULAR.has(word) || (word.length > 3 && word.endsWith('ed')));
}

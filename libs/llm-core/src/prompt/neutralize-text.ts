// Lines delimit messages, so a text must not contain line breaks; grounding treats any run of white space as one space.
const WHITESPACE_RUN = /\s+/gu;
// Invisible characters: control, format and tag characters. Grounding ignores them, so that quotes remain grounded.
// Joiners stay: emoji and the spelling of some scripts need them.
const INVISIBLE = /[[\p{Cc}\p{Cf}]--[\s\u200c\u200d]]/gv;
// Text that looks like a tag of the prompt or a control token of a model's template: </conversation>, <|im_end|>,
// [INST].
const TAG_START = /<(?=[/|!<]|\p{L})|\[(?=\/?INST\])/gu;
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Renders user content as one line that cannot break out of its line or tag. A zero-width space is inserted after the
 * opening bracket of a tag; grounding ignores it, so that quotes of such text remain grounded.
 */
export function neutralizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(WHITESPACE_RUN, ' ')
    .replace(TAG_START, `$&${ZERO_WIDTH_SPACE}`)
    .trim();
}

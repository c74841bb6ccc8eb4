// Lines delimit messages, so a text must not contain line breaks; grounding treats any run of white space as one space.
const WHITESPACE_RUN = /\s+/gu;
// Invisible characters: control characters, and characters that reorder text (bidirectional controls) or hide it
// (tags).
const INVISIBLE = /[[\p{Cc}--\s]\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gv;
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

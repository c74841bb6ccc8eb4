// Lines frame messages, so a text has none of its own; grounding takes any run of white space for one space.
const WHITESPACE_RUN = /\s+/gu;
// What cannot be seen: control characters, and what reorders text (bidirectional controls) or hides it (tags).
const INVISIBLE = /[[\p{Cc}--\s]\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gv;
// What looks like a tag of ours, or like a control token of some model's template: </conversation>, <|im_end|>, [INST].
const TAG_START = /<(?=[/|!<]|\p{L})|\[(?=\/?INST\])/gu;
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * A person's words as one line that cannot leave its frame. A tag's opening bracket gets a zero-width space behind it, which
 * grounding does not see: a quote of such words still holds.
 */
export function neutralizeText(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(WHITESPACE_RUN, ' ')
    .replace(TAG_START, `$&${ZERO_WIDTH_SPACE}`)
    .trim();
}

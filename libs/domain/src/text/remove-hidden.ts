/** Every kind of line break: CR LF, LF, CR, VT, FF, the information separators, NEL, LS and PS. */
export const LINE_BREAK = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/gu;

/** The flags of England, Scotland and Wales, which are spelled with tag characters. */
const TAGGED_FLAG =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;
/** Characters of category Cf that are seen: number signs of Arabic, Syriac and Kaithi. */
const SEEN_FORMAT = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/** One hidden character, as a class for patterns with the flag `v`. Line breaks other than `\n` are among them. */
export const HIDDEN_CHARACTER = `[[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}]--[\\n\\t${SEEN_FORMAT}]]`;
const HIDDEN = new RegExp(`(?<flag>${TAGGED_FLAG.source})|${HIDDEN_CHARACTER}+`, 'gv');

const JOINERS = '\u200c\u200d';
const ENDS_WITH_PICTURE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u;
const BEGINS_WITH_PICTURE = /^\p{Extended_Pictographic}/u;
/** Scripts whose spelling needs joiners. */
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Mongolian}]`;
const ENDS_WITH_JOINING = new RegExp(`${JOINING}$`, 'u');
const BEGINS_WITH_JOINING = new RegExp(`^${JOINING}`, 'u');
const ENDS_WITH_KEY = /[\d#*]$/u;
/** In UTF-16 units: the selector and the joiner of an emoji. More hidden characters in a row are never needed. */
const MAX_NEEDED_RUN = 2;
/** In UTF-16 units: more than any sequence before or after a character that decides about it. */
const CONTEXT = 5;

/**
 * The text without what nobody sees: control, format, tag and other default-ignorable characters, and lone surrogates as
 * U+FFFD. Joiners and variation selectors stay where an emoji or the spelling of a script needs them. Line breaks of
 * every kind become `\n`; tabs stay. Idempotent.
 */
export function removeHidden(text: string): string {
  const seen = text.toWellFormed().replace(LINE_BREAK, '\n');
  return seen.replace(HIDDEN, (found: string, flag: string | undefined, offset: number) => {
    if (flag !== undefined) return found;
    if (found.length > MAX_NEEDED_RUN) return '';
    return Array.from(found, (character, index) => (isNeeded(character, seen, offset + index) ? character : '')).join(
      '',
    );
  });
}

function isNeeded(found: string, text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - CONTEXT), offset);
  const after = text.slice(offset + found.length, offset + found.length + CONTEXT);
  if (found === '\ufe0f' && ENDS_WITH_KEY.test(before)) return after.startsWith('\u20e3');
  if (found === '\ufe0e' || found === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before);
  if (!JOINERS.includes(found)) return false;
  if (found === '\u200d' && ENDS_WITH_PICTURE.test(before) && BEGINS_WITH_PICTURE.test(after)) return true;
  return ENDS_WITH_JOINING.test(before) && BEGINS_WITH_JOINING.test(after);
}

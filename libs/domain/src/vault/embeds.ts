// A message could otherwise tell whoever sent it that it is read, and from where: by an image or a frame that it loads.
const IMAGE = /!(\\*)\[/g;
const ESCAPED_IMAGE = /!\\(\\*)\[/g;
/** What begins HTML. The first backslash of a run, so that a long run is read once. */
const TAG = /(?<!\\)(\\*)<(?=[a-z/!?])/gi;
const ESCAPED_TAG = /(?<!\\)\\(\\*)<(?=[a-z/!?])/gi;

/** A text whose images and HTML are shown as text where Markdown is shown. Every text has one of its own. */
export function escapeEmbeds(text: string): string {
  return text.replaceAll(IMAGE, String.raw`!\$1[`).replaceAll(TAG, String.raw`\$1<`);
}

/** The text that `escapeEmbeds` was given. */
export function unescapeEmbeds(text: string): string {
  return text.replaceAll(ESCAPED_TAG, '$1<').replaceAll(ESCAPED_IMAGE, '!$1[');
}

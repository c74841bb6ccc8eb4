// A message could otherwise tell whoever sent it that it is read, and from where: by an image or a frame that it loads.
const IMAGE = /!(\\*)\[/g;
const ESCAPED_IMAGE = /!\\(\\*)\[/g;
/** What begins HTML. A backslash before it would not do: one that stands there already would escape that backslash. */
const TAG = /<(?=[a-z/!?])/gi;
/** What looks like an escaped tag already, however often it was escaped. */
const ENTITY = /&(?=(?:amp;)*lt;)/g;
const ESCAPED = /&((?:amp;)*)lt;/g;

/** A text whose images and HTML are shown as text where Markdown is shown. Every text has one of its own. */
export function escapeEmbeds(text: string): string {
  return text
    .replaceAll(IMAGE, String.raw`!\$1[`)
    .replaceAll(ENTITY, '&amp;')
    .replaceAll(TAG, '&lt;');
}

/** The text that `escapeEmbeds` was given. */
export function unescapeEmbeds(text: string): string {
  return text
    .replaceAll(ESCAPED, (_, more: string) => (more === '' ? '<' : `&${more.slice('amp;'.length)}lt;`))
    .replaceAll(ESCAPED_IMAGE, '!$1[');
}

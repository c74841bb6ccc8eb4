const FENCED = /^( *)(```|~~~)[^]*?^\1\2/gm;
const INLINE_CODE = /`[^`\n]*`/g;
const HEADING = /^#{1,6} +(.+?) *#*$/gm;

/** The id that GitHub gives a heading. */
export function slugOf(heading) {
  const words = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The ids of a page's headings; of equal ones the second and further get a number. */
export function listSlugs(markdown) {
  const slugs = new Set();
  for (const [, heading] of markdown.replace(FENCED, blank).matchAll(HEADING)) {
    const slug = slugOf(heading);
    let unique = slug;
    for (let count = 1; slugs.has(unique); count += 1) unique = `${slug}-${count}`;
    slugs.add(unique);
  }
  return slugs;
}

/** The text with its code replaced by blanks, so that every offset stays the same. */
export function blankCode(markdown) {
  return markdown.replace(FENCED, blank).replace(INLINE_CODE, blank);
}

function blank(code) {
  return code.replace(/[^\n]/g, ' ');
}

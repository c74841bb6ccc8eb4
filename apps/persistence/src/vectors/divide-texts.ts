/** Texts of one call, as of the gateway's. */
const MAX_TEXTS = 32;
/**
 * UTF-16 units of the texts of one call, about 16,000 tokens: a budget is drawn on in parts of this size, and what remains of
 * it beneath one is not used.
 */
const MAX_UNITS = 64_000;

/** Divides texts into pages for one call each, in their order. A longer text has a page of its own. */
export function divideTexts<Item extends { readonly text: string }>(items: readonly Item[]): Item[][] {
  const pages: Item[][] = [];
  let units = 0;
  for (const item of items) {
    const page = pages.at(-1);
    units += item.text.length;
    if (page && page.length < MAX_TEXTS && units <= MAX_UNITS) page.push(item);
    else {
      pages.push([item]);
      units = item.text.length;
    }
  }
  return pages;
}

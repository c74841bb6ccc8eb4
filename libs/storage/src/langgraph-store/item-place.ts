/** Where an item is: `key` within `namespace`, a list of labels without periods. */
export interface ItemPlace {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** Ends a label in a path. Labels do not contain it. */
const END = '.';
/** The character behind it: paths below this one, and not below their prefix, begin with other labels. */
const BEHIND_END = '/';

/** The labels of a namespace as one text, each with a period behind it. */
export function pathOf(namespace: readonly string[]): string {
  return namespace.map((label) => label + END).join('');
}

/** The paths of all namespaces that begin with these labels: from `from`, and less than `to`. Null: every path. */
export function rangeOf(prefix: readonly string[]): { readonly from: string; readonly to: string } | null {
  if (prefix.length === 0) return null;
  const from = pathOf(prefix);
  return { from, to: from.slice(0, -END.length) + BEHIND_END };
}

/** A place as one text, for the list of deletions: the number of labels tells the path from the key. */
export function placeText({ namespace, key }: ItemPlace): string {
  return `${namespace.length}:${pathOf(namespace)}${key}`;
}

/** SQL of `placeText` of the row `i`. */
export const PLACE_TEXT_SQL = `cardinality(i.namespace) || ':' || i.path || i.key`;

/** The place of a text that `placeText` made. */
export function readPlaceText(text: string): ItemPlace {
  const start = text.indexOf(':') + 1;
  const labels = Number(text.slice(0, start - 1));
  const parts = text.slice(start).split(END);
  return { namespace: parts.slice(0, labels), key: parts.slice(labels).join(END) };
}

/** Opaque position in a list: the sort key of the last row given out. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The sort key, or null when the text is no cursor of `length` parts. */
export function decodeCursor(cursor: string, length: number): (string | number)[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const sound =
      Array.isArray(key) &&
      key.length === length &&
      key.every((part) => typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part)));
    return sound ? (key as (string | number)[]) : null;
  } catch {
    return null;
  }
}

/** A cursor that this server did not give out. */
export class BadCursorError extends Error {
  constructor() {
    super('Use the next_cursor of the previous page, unchanged.');
    this.name = 'BadCursorError';
  }
}

/** The sort key of a given cursor; null without one; throws BadCursorError. */
export function readCursor(cursor: string | undefined, kinds: readonly ('string' | 'number')[]) {
  if (cursor === undefined) return null;
  const key = decodeCursor(cursor, kinds.length);
  if (!key || key.some((part, index) => typeof part !== kinds[index])) throw new BadCursorError();
  return key;
}

/** Cuts the row that was fetched beyond the page and tells where the next page begins. */
export function pageOf<R, Item>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => Item,
  keyOf: (row: R) => readonly (string | number)[],
): { items: Item[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toItem),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null,
  };
}

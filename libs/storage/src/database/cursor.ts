/** Sorts before every other id: where a scan begins. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Opaque position in a list: the sort key of the last row returned. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The sort key, or null when the text is no cursor with `length` parts. */
export function decodeCursor(cursor: string, length: number): (string | number)[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isValid =
      Array.isArray(key) &&
      key.length === length &&
      key.every((part) => typeof part === 'string' || (typeof part === 'number' && Number.isFinite(part)));
    return isValid ? (key as (string | number)[]) : null;
  } catch {
    return null;
  }
}

/** A cursor that this server did not issue. */
export class InvalidCursorError extends Error {
  constructor() {
    super('Use the next_cursor of the previous page, unchanged.');
    this.name = 'InvalidCursorError';
  }
}

/**
 * Kind of a part of a sort key, checked here because PostgreSQL would fail on other values with an error of its own.
 */
export type CursorKind = 'uuid' | 'time' | 'day' | 'integer' | 'number' | 'text';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** A timestamptz in the output format of PostgreSQL. */
const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)[+-](?:0\d|1[0-5])(?::[0-5]\d)?$/;

const IS_OF_KIND: Record<CursorKind, (part: string | number) => boolean> = {
  uuid: (part) => UUID.test(String(part)),
  time: isTime,
  day: (part) => DAY.test(String(part)) && isTime(`${part} 00:00:00+00`),
  integer: (part) => Number.isSafeInteger(part),
  number: (part) => typeof part === 'number',
  // PostgreSQL rejects U+0000 in a text.
  text: (part) => typeof part === 'string' && !part.includes('\0'),
};

/** The sort key of a given cursor; null without one; throws InvalidCursorError. */
export function parseCursor(cursor: string | undefined, kinds: readonly CursorKind[]) {
  if (cursor === undefined) return null;
  const key = decodeCursor(cursor, kinds.length);
  if (!key || kinds.some((kind, index) => !IS_OF_KIND[kind](key[index]!))) throw new InvalidCursorError();
  return key;
}

function isTime(part: string | number): boolean {
  const [, day, time] = TIME.exec(String(part)) ?? [];
  if (day === undefined) return false;
  const instant = new Date(`${day}T${time}Z`);
  // The 31st of February is parsed as the 3rd of March.
  // PostgreSQL has no year 0: 1 BC comes before 1 AD.
  return !Number.isNaN(instant.getTime()) && instant.getUTCFullYear() > 0 && instant.toISOString().startsWith(day);
}

/** Removes the row that was fetched beyond the page and returns the cursor of the next page. */
export function buildPage<R, Item>(
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

import { LRUCache } from 'lru-cache';

/** UTF-16 units of all remembered statements, about 8,000 of them: with their slots, about 5 MB. */
const DEFAULT_MAX_UNITS = 500_000;
/** Longer texts are read again: a few of them would push out all others. */
const MAX_STATEMENT_UNITS = 2_000;

/**
 * The same reading of a statement, computed once while the statement is among the last ones (`maxUnits`, UTF-16 units): a
 * new statement is compared with the same stored neighbours in batch after batch. `read` must depend on the text alone, and callers must
 * not change what it returns.
 */
export function rememberReadings<Reading extends object | null>(
  read: (statement: string) => Reading,
  maxUnits = DEFAULT_MAX_UNITS,
): (statement: string) => Reading {
  // Boxed, since a cache cannot tell a missing value from one that is null.
  const readings = new LRUCache<string, { readonly reading: Reading }>({
    maxSize: maxUnits,
    maxEntrySize: MAX_STATEMENT_UNITS,
    sizeCalculation: (_reading, statement) => Math.max(1, statement.length),
  });
  return (statement) => {
    const known = readings.get(statement);
    if (known) return known.reading;
    const reading = read(statement);
    readings.set(statement, { reading });
    return reading;
  };
}

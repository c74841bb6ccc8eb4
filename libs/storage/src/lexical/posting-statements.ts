import {
  createSliceMeter,
  encodeEntries,
  pauseInTransaction,
  type PostingEntry,
  type RecallKind,
  runAtOnce,
  runInSlices,
  type Sliced,
  type UnitTerms,
} from '@annals/domain';
import { defineSet, JsonText } from '../database/set-statement.js';
import { allOf, type Tx } from '../database/transaction.js';

/** A unit to be inserted into the index: its number, and its memory or message. */
export interface NewUnit {
  readonly unit: number;
  readonly kind: RecallKind;
  /** Id of the memory or the message. */
  readonly id: string;
  /** Number of terms. */
  readonly length: number;
  /** The number that it had before a rebuild in steps came to it: its former postings are removed by the last steps. */
  readonly formerUnit?: number;
}

/** Terms by which a unit is found; those of an existing unit are added to it. */
export interface UnitPostings {
  readonly unit: number;
  readonly kind: RecallKind;
  readonly terms: ReadonlyMap<string, number>;
  /** Number of terms of the unit's own text, without terms of neighbours. */
  readonly unitLength: number;
}

/** Maximum entries of a segment: with the longest user id and term, their 1 kB still fits into an index tuple. */
const SEGMENT_ENTRIES = 128;

export function insertUnits(tx: Tx, userId: string, units: readonly NewUnit[]): Promise<unknown> {
  const rows = units.map(({ unit, kind, id, length, formerUnit }) => ({
    unit,
    [kind === 'memory' ? 'memory_id' : 'message_id']: id,
    length,
    former_unit: formerUnit,
  }));
  return tx.each(INSERT_UNITS, { user_id: userId, rows });
}

const INSERT_UNITS = defineSet<{ user_id: string; rows: readonly object[] }>(
  'user_id text, rows json',
  `INSERT INTO lexical_units (user_id, unit, memory_id, message_id, length, former_unit)
   SELECT given.user_id, r.unit, r.memory_id, r.message_id, r.length, r.former_unit
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (unit integer, memory_id uuid, message_id uuid, length integer, former_unit integer)`,
);

/**
 * `segment` is a number that no other transaction uses for this user: the first of the units that this one numbered.
 * Returns the rows as JSON, a page each, for `insertPostings`.
 */
export function* preparePostings(segment: number, postings: readonly UnitPostings[]): Sliced<string[]> {
  const pages: string[] = [];
  let rows: PostingRow[] = [];
  for (const { kind, term, entries } of yield* groupByTerm(postings)) {
    for (const [index, part] of chunk(entries, SEGMENT_ENTRIES).entries()) {
      rows.push({ kind, term, segment: segment + index, entries: encodeEntries(part).toString('hex') });
    }
    if (rows.length < ROWS_OF_PAGE) continue;
    pages.push(JSON.stringify(rows));
    rows = [];
    yield;
  }
  return rows.length === 0 ? pages : [...pages, JSON.stringify(rows)];
}

/** Starts one statement per page. */
export function insertPostings(tx: Tx, userId: string, pages: readonly string[]): Promise<unknown>[] {
  return pages.map((page) => tx.each(INSERT_POSTINGS, { user_id: userId, rows: new JsonText(page) }));
}

const INSERT_POSTINGS = defineSet<{ user_id: string; rows: JsonText }>(
  'user_id text, rows json',
  `INSERT INTO lexical_postings (user_id, kind, term, segment, entries)
   SELECT given.user_id, r.kind, r.term, r.segment, decode(r.entries, 'hex')
     FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
       AS r (kind text, term text, segment integer, entries text)`,
);

/** Inserts units with their postings; `segment` is the first of their numbers. Long lists are prepared in slices. */
export async function insertUnitsWithPostings(
  tx: Tx,
  userId: string,
  segment: number,
  units: readonly (NewUnit & UnitPostings)[],
): Promise<void> {
  if (units.length === 0) return;
  const pages = await runInSlices(preparePostings(segment, units), pauseInTransaction);
  await allOf([insertUnits(tx, userId, units), ...insertPostings(tx, userId, pages)]);
}

/** Of one statement; enough for the terms of an ordinary batch. */
const ROWS_OF_PAGE = 4_096;

interface PostingRow {
  readonly kind: RecallKind;
  readonly term: string;
  readonly segment: number;
  /** Hexadecimal. */
  readonly entries: string;
}

interface TermEntries {
  readonly kind: RecallKind;
  readonly term: string;
  readonly entries: PostingEntry[];
}

function* groupByTerm(postings: readonly UnitPostings[]): Sliced<Iterable<TermEntries>> {
  const meter = createSliceMeter();
  const grouped = new Map<string, TermEntries>();
  for (const { unit, kind, terms, unitLength } of postings) {
    yield* meter(terms.size);
    for (const [term, weight] of terms) {
      const key = `${kind} ${term}`;
      const known = grouped.get(key) ?? { kind, term, entries: [] };
      grouped.set(key, known);
      known.entries.push({ unit, weight, length: unitLength });
    }
  }
  return grouped.values();
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Adds new memories to the index under numbers from `firstUnit` on, which the caller takes from the user's row under
 * its lock. Starts the statements and returns them with the next free number.
 */
export function indexMemories(
  tx: Tx,
  userId: string,
  firstUnit: number,
  terms: ReadonlyMap<string, UnitTerms>,
): { statements: Promise<unknown>[]; nextUnit: number } {
  if (terms.size === 0) return { statements: [], nextUnit: firstUnit };
  const units = [...terms].map(([id, analysis], index) => ({
    ...analysis,
    kind: 'memory' as const,
    id,
    unit: firstUnit + index,
  }));
  return {
    statements: [
      insertUnits(tx, userId, units),
      ...insertPostings(tx, userId, runAtOnce(preparePostings(firstUnit, units))),
    ],
    nextUnit: firstUnit + units.length,
  };
}

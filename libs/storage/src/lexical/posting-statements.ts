import { encodeEntries, type PostingEntry, type RecallKind, type UnitTerms } from '@annals/domain';
import type { Tx } from '../database/transaction.js';

/** A unit to be inserted into the index: its number, and its memory or message. */
export interface NewUnit {
  readonly unit: number;
  readonly kind: RecallKind;
  /** Id of the memory or the message. */
  readonly id: string;
  /** Number of terms. */
  readonly length: number;
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

export function insertUnits(tx: Tx, userId: string, units: readonly NewUnit[]): Promise<number> {
  return tx.execute(
    `INSERT INTO lexical_units (user_id, unit, memory_id, message_id, length)
     SELECT $2, r.unit, r.memory_id, r.message_id, r.length
       FROM json_to_recordset($1) AS r (unit integer, memory_id uuid, message_id uuid, length integer)`,
    [
      JSON.stringify(
        units.map(({ unit, kind, id, length }) => ({
          unit,
          [kind === 'memory' ? 'memory_id' : 'message_id']: id,
          length,
        })),
      ),
      userId,
    ],
  );
}

/**
 * `segment` is a number that no other transaction uses for this user: the first of the units that this one numbered.
 */
export function insertPostings(
  tx: Tx,
  userId: string,
  segment: number,
  postings: readonly UnitPostings[],
): Promise<number> {
  const rows = [...groupByTerm(postings)].flatMap(({ kind, term, entries }) =>
    chunk(entries, SEGMENT_ENTRIES).map((part, index) => ({
      kind,
      term,
      segment: segment + index,
      entries: encodeEntries(part).toString('hex'),
    })),
  );
  return tx.execute(
    `INSERT INTO lexical_postings (user_id, kind, term, segment, entries)
     SELECT $2, r.kind, r.term, r.segment, decode(r.entries, 'hex')
       FROM json_to_recordset($1) AS r (kind text, term text, segment integer, entries text)`,
    [JSON.stringify(rows), userId],
  );
}

interface TermEntries {
  readonly kind: RecallKind;
  readonly term: string;
  readonly entries: PostingEntry[];
}

function groupByTerm(postings: readonly UnitPostings[]): Iterable<TermEntries> {
  const grouped = new Map<string, TermEntries>();
  for (const { unit, kind, terms, unitLength } of postings) {
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
): { statements: Promise<number>[]; nextUnit: number } {
  if (terms.size === 0) return { statements: [], nextUnit: firstUnit };
  const units = [...terms].map(([id, analysis], index) => ({
    ...analysis,
    kind: 'memory' as const,
    id,
    unit: firstUnit + index,
  }));
  return {
    statements: [insertUnits(tx, userId, units), insertPostings(tx, userId, firstUnit, units)],
    nextUnit: firstUnit + units.length,
  };
}

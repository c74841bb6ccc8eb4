/**
 * A statement for any number of pieces of work, which are rows of the relation `given`: the pieces that share a
 * transaction send it once (docs/reference/writes.md#transactions-that-work-shares).
 */
export interface SetStatement<Given extends object, Returned extends object = never> {
  readonly sql: string;
  /** Only of the types: what a piece of work gives and gets back. */
  readonly types?: (given: Given) => Returned;
}

/**
 * `given`: the columns of the relation, as in a table definition, each named as in the objects that `Tx.each` is called
 * with; a list of rows is a column of type `json`. `sql` reads them as `given`, and returns `w`, the
 * number of the piece of work, with each row that it returns. `ctes`: its common table expressions, without WITH.
 */
export function defineSet<Given extends object, Returned extends object = never>(
  given: string,
  sql: string,
  ctes = '',
): SetStatement<Given, Returned> {
  // PostgreSQL expects a tenth of a function's 100 rows under a LIMIT that it does not know, which is about right; without
  // one it would read whole tables for a few rows.
  const list = `given AS (SELECT * FROM json_to_recordset($1) AS g (w integer${given === '' ? '' : `, ${given}`}) LIMIT $2)`;
  return { sql: `WITH ${list}${ctes === '' ? '' : `, ${ctes}`} ${sql}` };
}

/**
 * A SELECT for each piece of work, by itself and in its own order. `sql` has an ORDER BY or ends with `OFFSET 0`, which
 * keeps it a look-up for each piece.
 */
export function defineRead<Given extends object, Returned extends object>(
  given: string,
  sql: string,
): SetStatement<Given, Returned> {
  return defineSet(given, `SELECT given.w, r.* FROM given CROSS JOIN LATERAL (${sql}) r`);
}

/** Columns of `given` of a statement whose text depends on what is asked for. */
export class GivenColumns {
  readonly values: Record<string, unknown> = {};
  private readonly columns: string[] = [];

  /** Adds a value and returns its SQL. */
  readonly bind = (value: unknown, type: string): string => {
    const name = `value_${this.columns.length}`;
    this.columns.push(`${name} ${type}`);
    this.values[name] = value;
    return `given.${name}`;
  };

  get definition(): string {
    return this.columns.join(', ');
  }
}

/** A value of a column of type `json` that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Parameters of a set statement for pieces of work. */
export function toParameters(pieces: readonly object[]): unknown[] {
  return [`[${pieces.map(renderPiece).join(',')}]`, pieces.length];
}

function renderPiece(piece: object, w: number): string {
  const members = Object.entries(piece).map(([name, value]: [string, unknown]) => {
    const text = value instanceof JsonText ? value.text : JSON.stringify(value ?? null);
    return `,${JSON.stringify(name)}:${text}`;
  });
  return `{"w":${w}${members.join('')}}`;
}

/** The returned rows of each piece of work. */
export function splitByPiece<R extends object>(rows: readonly R[], pieces: number): R[][] {
  const parts = Array.from({ length: pieces }, (): R[] => []);
  for (const row of rows) parts[(row as unknown as { w: number }).w]!.push(row);
  return parts;
}

import { allOf, type Tx } from './transaction.js';

interface CursorQuery {
  /** Of the cursor: one for each list of columns, since connections prepare `FETCH` by its text. */
  readonly name: string;
  readonly sql: string;
  readonly parameters?: readonly unknown[];
  readonly pageRows: number;
}

/**
 * The rows of a statement page by page, through a cursor: with pages by keys, each page of a query that sorts or joins
 * would read everything again. To be read to its end.
 */
export async function* readByCursor<R extends object>(
  tx: Tx,
  { name, sql, parameters = [], pageRows }: CursorQuery,
): AsyncGenerator<readonly R[], void> {
  // All rows are read: a plan for the first ones could walk an index of all users.
  await allOf([
    tx.query('SET LOCAL cursor_tuple_fraction = 1'),
    tx.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`, parameters),
  ]);
  for (;;) {
    const rows = await tx.query<R>(`FETCH ${pageRows} FROM ${name}`);
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) break;
  }
  await tx.query(`CLOSE ${name}`);
}

/** Columns of an entity of the table alias `alias`, as a list in SQL. */
export const columnsSql = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

/** Collects the parameters of one statement. */
export class Binder {
  readonly values: unknown[] = [];

  /** The placeholder for `value`: `$1`. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

/** Takes a value and returns its placeholder: `$1`. */
export type Bind = (value: unknown) => string;

/** Columns of an entity of the table alias `alias`, as a list in SQL. */
export const columnsSql = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

/** Collects the parameters and conditions of one statement. */
export class Binder {
  readonly values: unknown[] = [];
  private readonly conditions: string[] = [];

  readonly bind: Bind = (value) => `$${this.values.push(value)}`;

  /** Adds a condition on a value; none for undefined and null. */
  where(condition: (parameter: string) => string, value: unknown): void {
    if (value !== undefined && value !== null) this.conditions.push(condition(this.bind(value)));
  }

  /** All conditions so far, and these. */
  whereSql(...further: readonly string[]): string {
    return [...this.conditions, ...further].join(' AND ') || 'true';
  }
}

/** SQL of a condition on a value of a type that holds without the value: the same text in both cases. */
export type Given = (value: unknown, type: string, condition: (parameter: string) => string) => string;

export const givenBy =
  (bind: Bind): Given =>
  (value, type, condition) => {
    const parameter = `${bind(value ?? null)}::${type}`;
    return `(${parameter} IS NULL OR ${condition(parameter)})`;
  };

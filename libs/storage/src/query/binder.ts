/** Collects the parameters of one statement. */
export class Binder {
  readonly values: unknown[] = [];

  /** The placeholder for `value`: `$1`. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

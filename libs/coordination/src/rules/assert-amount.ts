/**
 * @throws RangeError naming `field` unless `value` is a whole number from 0 to 2^53 − 1: money and tokens have no
 * fractions.
 */
export function assertAmount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`${field} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${value}.`);
}

const MICRO_USD = 1_000_000;

/** `$0.0012`: four decimals below a dollar, two above; rounded up. */
export function formatUsd(microUsd: number): string {
  const decimals = microUsd < MICRO_USD ? 4 : 2;
  const step = 10 ** (6 - decimals);
  return `$${((Math.ceil(microUsd / step) * step) / MICRO_USD).toFixed(decimals)}`;
}

const USD = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

const MICRO = 1_000_000;

/** Whole micro-USD as dollars, to the last micro-dollar. */
export function formatUsd(microUsd: number): string {
  return USD.format(microUsd / MICRO);
}

/** Dollars that somebody typed, more than nothing, as whole micro-USD; null for what is no amount. */
export function parseUsd(typed: string): number | null {
  const text = typed.trim();
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(text)) return null;
  return Math.round(Number(text) * MICRO) || null;
}

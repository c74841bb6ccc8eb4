const MILLION = 1_000_000n;

/**
 * The cost of some tokens in whole micro-USD, rounded up once
 * (docs/reference/model-calls.md#prices-and-rounding-of-costs). Each pair is a count and its price in micro-USD for
 * 1,000,000 tokens. Exact: a sum in floating point could end below what is charged.
 */
export function computeTokenCost(parts: readonly (readonly [tokens: number, microUsdPerMillion: number])[]): number {
  let total = 0n;
  for (const [tokens, microUsd] of parts) total += BigInt(Math.ceil(tokens)) * BigInt(microUsd);
  return Number((total + MILLION - 1n) / MILLION);
}

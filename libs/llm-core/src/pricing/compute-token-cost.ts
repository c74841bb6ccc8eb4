const MILLION = 1_000_000n;

/**
 * Cost of tokens in integer micro-USD, rounded up once (docs/reference/model-calls.md#prices-and-rounding-of-costs).
 * Each pair is a token count and its price in micro-USD per 1,000,000 tokens. Computed exactly, because a
 * floating-point sum could be below the amount charged.
 */
export function computeTokenCost(parts: readonly (readonly [tokens: number, microUsdPerMillion: number])[]): number {
  let total = 0n;
  for (const [tokens, microUsd] of parts) total += BigInt(Math.ceil(tokens)) * BigInt(microUsd);
  return Number((total + MILLION - 1n) / MILLION);
}

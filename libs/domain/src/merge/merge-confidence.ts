/** The value of a missing confidence (docs/reference/memory-model.md#confidence-merge). */
export const DEFAULT_CONFIDENCE = 0.5;

const PRECISION = 1_000_000;

/**
 * Harmonic mean of values clamped to [0, 1], rounded to 6 decimals (docs/reference/memory-model.md#confidence-merge).
 * Missing values, and NaN, count as `defaultConfidence`.
 */
export function mergeConfidence(
  baseConfidence: number | null | undefined,
  providerConfidence: number | null | undefined,
  defaultConfidence: number = DEFAULT_CONFIDENCE,
): number {
  const base = clampConfidence(baseConfidence, defaultConfidence);
  const provider = clampConfidence(providerConfidence, defaultConfidence);
  if (base === 0 || provider === 0) return 0;
  return roundConfidence((2 * base * provider) / (base + provider));
}

/**
 * Pairwise from left to right, rounding each time (docs/reference/memory-model.md#confidence-of-several-values). One
 * value is clamped and rounded; an empty list returns `defaultConfidence`.
 */
export function mergeConfidences(
  confidences: readonly (number | null | undefined)[],
  defaultConfidence: number = DEFAULT_CONFIDENCE,
): number {
  const [first, ...rest] = confidences;
  return rest.reduce<number>(
    (merged, next) => mergeConfidence(merged, next, defaultConfidence),
    roundConfidence(clampConfidence(first, defaultConfidence)),
  );
}

/** Rounds to the 6 decimals in which confidences are stored and compared. */
export function roundConfidence(confidence: number): number {
  return Math.round(confidence * PRECISION) / PRECISION;
}

/** The confidence in [0, 1], or the default where it is missing or NaN. */
export function clampConfidence(
  confidence: number | null | undefined,
  defaultConfidence: number = DEFAULT_CONFIDENCE,
): number {
  const known = confidence ?? defaultConfidence;
  return Math.max(0, Math.min(1, Number.isNaN(known) ? defaultConfidence : known));
}

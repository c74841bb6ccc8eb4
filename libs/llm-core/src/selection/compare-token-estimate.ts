const NOTABLE_VARIANCE_PERCENT = 5;

export interface EstimateVariance {
  /** How far the estimate is from what was used, in percent of what was used; positive when it was too high. */
  readonly variancePercent: number;
  /** More than 5 % off, which is worth a line in the log (docs/reference/model-calls.md#token-counts-and-estimates). */
  readonly notable: boolean;
}

/** Compares a token estimate with the provider's own count; undefined when there is no count to compare with. */
export function compareTokenEstimate(estimated: number, actual: number): EstimateVariance | undefined {
  if (!(actual > 0)) return undefined;
  const variancePercent = ((estimated - actual) / actual) * 100;
  return { variancePercent, notable: Math.abs(variancePercent) > NOTABLE_VARIANCE_PERCENT };
}

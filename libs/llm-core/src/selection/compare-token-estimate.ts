const NOTABLE_VARIANCE_PERCENT = 5;

export interface EstimateVariance {
  /**
   * Deviation of the estimate from the actual usage, in percent of the usage; positive if the estimate was too high.
   */
  readonly variancePercent: number;
  /** More than 5 % off, which is logged (docs/reference/model-calls.md#token-counts-and-estimates). */
  readonly notable: boolean;
}

/** Compares a token estimate with the provider's count; undefined if there is no count. */
export function compareTokenEstimate(estimated: number, actual: number): EstimateVariance | undefined {
  if (!(actual > 0)) return undefined;
  const variancePercent = ((estimated - actual) / actual) * 100;
  return { variancePercent, notable: Math.abs(variancePercent) > NOTABLE_VARIANCE_PERCENT };
}

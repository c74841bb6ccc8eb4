/** See docs/reference/rate-limits.md#throttling-above-80-percent. */
export const THROTTLE_ABOVE_PERCENT = 80;

export interface TokenUsage {
  /** Epoch ms. */
  readonly at: number;
  readonly totalTokens: number;
}

export interface TokenProjection {
  /** Tokens that the waiting calls will need: average of the window times the depth of the queue. */
  readonly projectedTokens: number;
  /** The projected tokens plus the tokens that the window has used. */
  readonly projectedTotal: number;
  readonly windowTokensUsed: number;
  readonly windowLimit: number;
  readonly utilizationPercent: number;
  readonly shouldThrottle: boolean;
}

/**
 * The projection over a history (docs/reference/rate-limits.md#token-projection): usage at or after
 * `now − windowSizeMs` counts. Without usage, the projection is 0.
 */
export function projectTokenUsage(
  history: readonly TokenUsage[],
  queueDepth: number,
  window: { readonly windowSizeMs: number; readonly tokensPerMinute: number; readonly now: number },
): TokenProjection {
  const recent = history.filter((usage) => usage.at >= window.now - window.windowSizeMs);
  const used = recent.reduce((sum, usage) => sum + usage.totalTokens, 0);
  const windowLimit = Math.floor((window.tokensPerMinute / 60_000) * window.windowSizeMs);
  const projectedTokens = recent.length === 0 ? 0 : (used / recent.length) * queueDepth;
  const projectedTotal = used + projectedTokens;
  const utilizationPercent = recent.length === 0 ? 0 : (projectedTotal / windowLimit) * 100;
  return {
    projectedTokens,
    projectedTotal,
    windowTokensUsed: used,
    windowLimit,
    utilizationPercent,
    shouldThrottle: utilizationPercent > THROTTLE_ABOVE_PERCENT,
  };
}

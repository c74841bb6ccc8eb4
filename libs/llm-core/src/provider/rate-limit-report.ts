/** One limit as reported in a provider's headers; `resetAt` is epoch ms. */
export interface ReportedLimit {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** A provider's limits per minute as reported in its headers. `blockedUntil` (epoch ms) is set after a 429. */
export interface RateLimitReport {
  requests?: ReportedLimit;
  tokens?: ReportedLimit;
  blockedUntil?: number;
}

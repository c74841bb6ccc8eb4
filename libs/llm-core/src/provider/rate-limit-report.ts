/** One limit as a provider's headers tell it; `resetAt` is epoch ms. */
export interface ReportedLimit {
  limit: number;
  remaining: number;
  resetAt: number;
}

/** What a provider's headers say about its limits per minute. `blockedUntil` comes with a 429, epoch ms. */
export interface RateLimitReport {
  requests?: ReportedLimit;
  tokens?: ReportedLimit;
  blockedUntil?: number;
}

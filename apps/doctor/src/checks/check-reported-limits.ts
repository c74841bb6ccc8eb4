import type { ConfiguredRates } from '@annals/config';
import type { RateLimitReport } from '@annals/llm-core';
import { type Finding, warn } from '../report/finding.js';

/** Findings where the rate limits in a provider's response headers are below the configured ones. */
export function evaluateReportedLimits(
  provider: string,
  configured: ConfiguredRates,
  reported: RateLimitReport | undefined,
): Finding[] {
  const pairs = [
    { what: 'requests', allowed: configured.requestsPerMinute, reportedLimit: reported?.requests?.limit },
    { what: 'tokens', allowed: configured.tokensPerMinute, reportedLimit: reported?.tokens?.limit },
  ];
  return pairs.flatMap(({ what, allowed, reportedLimit }) => {
    if (reportedLimit === undefined || (allowed !== null && allowed <= reportedLimit)) return [];
    const variable = `MEMORY_LLM_${provider.toUpperCase()}_${what.toUpperCase()}_PER_MINUTE`;
    const found = `${provider} allows this account ${reportedLimit} ${what} per minute, less than is configured.`;
    return [warn(`${provider}.rates`, found, `Set ${variable} to ${reportedLimit}.`)];
  });
}

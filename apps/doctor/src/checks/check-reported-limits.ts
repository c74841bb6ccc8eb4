import type { ConfiguredRates } from '@annals/config';
import type { RateLimitReport } from '@annals/llm-core';
import { type Finding, warn } from '../report/finding.js';

/** Where a provider's own headers allow less than is configured. */
export function judgeReportedLimits(
  provider: string,
  configured: ConfiguredRates,
  reported: RateLimitReport | undefined,
): Finding[] {
  const pairs = [
    { what: 'requests', allowed: configured.requestsPerMinute, told: reported?.requests?.limit },
    { what: 'tokens', allowed: configured.tokensPerMinute, told: reported?.tokens?.limit },
  ];
  return pairs.flatMap(({ what, allowed, told }) => {
    if (told === undefined || (allowed !== null && allowed <= told)) return [];
    const variable = `MEMORY_LLM_${provider.toUpperCase()}_${what.toUpperCase()}_PER_MINUTE`;
    const found = `${provider} allows this account ${told} ${what} a minute, less than is configured.`;
    return [warn(`${provider}.rates`, found, `Set ${variable} to ${told}.`)];
  });
}

import type { RateLimitReport, ReportedLimit } from '../rate-limit-report.js';
import { clampWaitMs } from './clamp-wait-ms.js';
import { parseReset } from './parse-reset.js';

/** Builds the header name of one figure of a limit. */
type HeaderName = (figure: 'limit' | 'remaining' | 'reset') => string;

interface HeaderNames {
  requests: HeaderName;
  /** In order of preference. */
  tokens: readonly HeaderName[];
}

// Claude's `tokens` is the tightest of its token limits; accounts without it have the input token limit.
export const CLAUDE_LIMIT_HEADERS: HeaderNames = {
  requests: (figure) => `anthropic-ratelimit-requests-${figure}`,
  tokens: ['tokens', 'input-tokens'].map((name) => (figure) => `anthropic-ratelimit-${name}-${figure}`),
};

export const OPENAI_LIMIT_HEADERS: HeaderNames = {
  requests: (figure) => `x-ratelimit-${figure}-requests`,
  tokens: [(figure) => `x-ratelimit-${figure}-tokens`],
};

/** Limits are per minute: a limit whose reset cannot be parsed is reset after one minute at the latest. */
const MINUTE_MS = 60_000;

/** Parses the rate limits; undefined if the headers contain none. `now` is epoch ms. */
export function parseRateLimits(headers: Headers, names: HeaderNames, now: number): RateLimitReport | undefined {
  const report: RateLimitReport = {};
  const requests = parseLimit(headers, names.requests, now);
  if (requests) report.requests = requests;
  for (const name of names.tokens) {
    report.tokens ??= parseLimit(headers, name, now);
  }
  if (report.tokens === undefined) delete report.tokens;
  return report.requests || report.tokens ? report : undefined;
}

function parseLimit(headers: Headers, name: HeaderName, now: number): ReportedLimit | undefined {
  const limit = parseCount(headers.get(name('limit')));
  const remaining = parseCount(headers.get(name('remaining')));
  if (limit === undefined || remaining === undefined) return undefined;
  const resetAt = parseReset(headers.get(name('reset')), now) ?? now + MINUTE_MS;
  return { limit, remaining, resetAt: now + clampWaitMs(resetAt - now) };
}

/** Azure sends -1 for unknown figures. */
function parseCount(text: string | null): number | undefined {
  return text !== null && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}

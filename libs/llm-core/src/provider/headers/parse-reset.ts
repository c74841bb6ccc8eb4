const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;

/**
 * Parses a reset header to the time (epoch ms) at which a limit is reset: an RFC 3339 time (Claude), a Go duration such
 * as `6m0s`, `2m59.56s` or `12ms` (OpenAI), or bare seconds (Azure). `now` is epoch ms. Undefined for anything else,
 * such as Azure's `-1`.
 */
export function parseReset(text: string | null, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return now + Math.ceil(Number(value) * 1_000);
  if (GO_DURATION.test(value)) return now + Math.ceil(sumParts(value));
  if (!/^\d{4}-\d{2}-\d{2}T/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(now, at);
}

function sumParts(duration: string): number {
  let total = 0;
  for (const [, amount, unit] of duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return total;
}

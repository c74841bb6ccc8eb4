/**
 * Parses how long the server requests to wait, in ms: `retry-after-ms`, otherwise `retry-after` in seconds or as an
 * HTTP date. `now` is epoch ms. Undefined if neither header can be parsed.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const inMs = parseNumber(headers.get('retry-after-ms'));
  if (inMs !== undefined) return inMs;
  const text = headers.get('retry-after');
  const seconds = parseNumber(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parseNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

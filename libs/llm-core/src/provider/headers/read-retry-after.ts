/**
 * How long a server asks to wait, in ms: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date. `now` is
 * epoch ms. Undefined when neither header can be read.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const inMs = readNumber(headers.get('retry-after-ms'));
  if (inMs !== undefined) return inMs;
  const text = headers.get('retry-after');
  const seconds = readNumber(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

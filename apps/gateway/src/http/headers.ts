import type { Allowance } from '../auth/request-limits.js';
import { invalidFields } from './parse-input.js';

/** Sent with every response. The documentation page relaxes the policy for its own files. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

const REQUEST_ID = /^[\w.:-]{8,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/;
const ETAG = /^"(\d{1,9})"$/;

type Header = string | string[] | undefined;

/** The caller's request id if it is safe to log and to return, else undefined. */
export function parseRequestId(header: Header): string | undefined {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : undefined;
}

/** The `Idempotency-Key` of a request, or null. Throws `validation_failed` for one that is not 1–200 printable ASCII. */
export function parseIdempotencyKey(header: Header): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  throw invalidFields([
    { path: 'headers.idempotency-key', message: 'Send one key of 1 to 200 printable ASCII characters.' },
  ]);
}

/**
 * The revision in `If-Match`, or null when any revision matches: without the header, or with `*`. Throws
 * `validation_failed` for anything but one ETag of this API. A weak one never matches (RFC 9110 §13.1.1), so it is
 * refused too.
 */
export function parseIfMatch(header: Header): number | null {
  if (header === undefined || header === '*') return null;
  const [, revision] = (typeof header === 'string' && ETAG.exec(header)) || [];
  if (revision !== undefined) return Number(revision);
  const message = 'Send one ETag as a response returned it: a revision in quotes, such as "3".';
  throw invalidFields([{ path: 'headers.if-match', message }]);
}

/** Bytes have a unit of their own; requests are the default one. */
const QUOTA_UNITS = { requests: '', bytes: ';qu="content-bytes"' } as const;

/**
 * The RateLimit headers of draft-ietf-httpapi-ratelimit-headers: one item for each allowance, in the order given
 * (docs/reference/request-limits.md#ratelimit-headers).
 */
export function rateLimitHeaders(allowances: readonly Allowance[]): Record<'ratelimit-policy' | 'ratelimit', string> {
  const policies = allowances.map(
    ({ of, limit, windowSeconds }) => `"${of}";q=${limit}${QUOTA_UNITS[of]};w=${windowSeconds}`,
  );
  const states = allowances.map(({ of, remaining, resetSeconds }) => `"${of}";r=${remaining};t=${resetSeconds}`);
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}

/** The ETag header of a revision. */
export function etagOf({ revision }: { readonly revision: number }): { readonly etag: string } {
  return { etag: `"${revision}"` };
}

import { createHash, timingSafeEqual } from 'node:crypto';

/** Where and to whom `/metrics` is served (docs/reference/logging-and-metrics.md#who-may-read-metrics). */
export interface MetricsAccess {
  /** The bearer token that is required; undefined for none. */
  readonly token?: string | undefined;
  /** A port for `/metrics` alone; undefined: the port of the service, which requires a token. */
  readonly port?: number | undefined;
  /** The address of that port. */
  readonly host: string;
}

export type MetricsRefusal = 'not_served' | 'unauthenticated';

/** Why the port of the service refuses a request for `/metrics`; null when it is answered. */
export function refuseOnServicePort(
  { token, port }: MetricsAccess,
  authorization: string | undefined,
): MetricsRefusal | null {
  if (port !== undefined || token === undefined) return 'not_served';
  return hasToken(authorization, token) ? null : 'unauthenticated';
}

/** Why the port for metrics refuses a request; null when it is answered. */
export function refuseOnMetricsPort(
  { token }: MetricsAccess,
  authorization: string | undefined,
): MetricsRefusal | null {
  return token === undefined || hasToken(authorization, token) ? null : 'unauthenticated';
}

/** Compares digests, so that the time tells neither the length nor a prefix of the token. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const REFUSALS = {
  not_served: {
    status: 404,
    code: 'not_found',
    title: 'Not found',
    detail: 'Metrics are not served here: set ANNALS_METRICS_TOKEN, or read them on ANNALS_METRICS_PORT.',
  },
  unauthenticated: {
    status: 401,
    code: 'unauthenticated',
    title: 'A valid API key is required',
    detail: 'Send the token of ANNALS_METRICS_TOKEN: Authorization: Bearer <token>.',
  },
} as const;

/** The response to a refused request: problem details of RFC 9457. */
export function describeRefusal(refusal: MetricsRefusal) {
  const problem = REFUSALS[refusal];
  return {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(problem.status === 401 ? { 'www-authenticate': 'Bearer realm="annals-metrics"' } : {}),
    },
    body: JSON.stringify({ type: `urn:annals:problem:${problem.code}`, ...problem }),
  };
}

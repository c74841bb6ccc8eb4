import type { Call } from './call.js';

/** What is sent, the same for each attempt. */
export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Target {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The request of a call. `idempotencyKey` is sent by calls that accept one, and is the same in every attempt. Throws a
 * `TypeError` for a parameter that cannot be sent in a path.
 */
export function buildRequest(target: Target, call: Call, idempotencyKey: string): BuiltRequest {
  const { ifMatch, requestId, headers } = call.options ?? {};
  return {
    url: target.baseUrl + fillPath(call) + renderQuery(call.query),
    method: call.method,
    headers: lowerCased({
      authorization: `Bearer ${target.apiKey}`,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.idempotent ? { 'idempotency-key': idempotencyKey } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...target.headers,
      ...headers,
    }),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

/** Names of headers have no case, keys of objects have: what is given has to replace what is here. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function fillPath({ path, params = {} }: Call): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeSegment(name, params[name]));
}

/** `.`, `..` and nothing would name another path: URL libraries resolve them, also percent-encoded. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new TypeError(`Give a ${name} that is a text, not empty, and neither "." nor "..".`);
  return encodeURIComponent(value);
}

function renderQuery(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

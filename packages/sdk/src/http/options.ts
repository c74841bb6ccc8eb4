import type { Target } from './build-request.js';

export interface AnnalsOptions {
  /** Where Annals is reached, such as `http://127.0.0.1:8080`; may have a path. */
  readonly baseUrl: string;
  /** `undefined` is refused when the client is made, so that a variable of the environment can be given as it is. */
  readonly apiKey: string | undefined;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default of each request: 60 s. */
  readonly timeoutMs?: number;
  /** Default of each request: 3. */
  readonly maxRetries?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Settings extends Target {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 3;

/** Throws a `TypeError` that names the option that is missing or wrong. */
export function readOptions(options: AnnalsOptions): Settings {
  const { baseUrl, apiKey, headers = {}, timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES } = options;
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new TypeError('Give an apiKey: the text of an API key, ann_….');
  if (!isHttpUrl(baseUrl))
    throw new TypeError('Give a baseUrl: the URL at which Annals is reached, such as http://127.0.0.1:8080.');
  // Some runtimes refuse a fetch that is called as a method of another object.
  const fetch = options.fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args));
  return { baseUrl: withoutSlash(baseUrl), apiKey, headers, timeoutMs, maxRetries, fetch };
}

export function isHttpUrl(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url;
}

import { describeError } from './describe-error.js';

/** Longer strings are truncated and marked (docs/reference/logging-and-metrics.md#sanitising-of-log-fields). */
export const MAX_STRING_LENGTH = 1_024;
const TRUNCATED = '[truncated]';
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/** Fields that are always removed (docs/reference/logging-and-metrics.md#forbidden-field-names). */
const REMOVED_FIELDS = new Set(['ts', 'budgetUtilizationPct', 'additional']);
/** Flags that are logged only when `true` (docs/reference/logging-and-metrics.md#flags-that-are-only-true). */
const TRUE_ONLY_FLAGS = new Set(['usageEstimated', 'derivedRetry']);
/** Names of fields with user content; none of the project's own log fields has such a name. */
const USER_CONTENT_FIELDS = new Set(['content', 'quote', 'body', 'prompt', 'answer', 'completion', 'messageText']);
const SECRET_WORDS = new Set([
  'authorization',
  'password',
  'passwd',
  'secret',
  'secrets',
  'cookie',
  'credential',
  'credentials',
]);
const KEY_OWNERS = new Set(['api', 'private', 'secret', 'access', 'bootstrap', 'operator', 'encryption']);

/**
 * Patterns of secrets inside text: our API keys, keys of common providers, Bearer and Basic headers, JSON Web Tokens,
 * and credentials in connection URLs.
 */
const SECRET_VALUES =
  /\bann_[\w-]{6,}|\bsk-[\w-]{6,}|\b(?:ghp|gho|github_pat|xox[abprs]|glpat)[_-][\w-]{6,}|\bAKIA[A-Z0-9]{12,}|\b(?:Bearer|Basic)\s+[\w.~+/=-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=:\/\/)[^\s/@]+@/gi;

/**
 * Returns a copy that is safe to log: without secrets, user content and forbidden fields; long strings truncated;
 * errors described without their message.
 */
export function sanitizeFields(fields: Readonly<Record<string, unknown>>, depth = 0): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined || isForbidden(key, value)) continue;
    safe[key] = sanitizeValue(value, depth + 1);
  }
  return safe;
}

/** Replaces secrets, then truncates to `MAX_STRING_LENGTH`. */
export function sanitizeText(text: string): string {
  // Only the first 4 × MAX_STRING_LENGTH characters are scanned: enough for a secret that straddles the limit, and the
  // cost stays bounded for huge strings.
  const clean = text.slice(0, MAX_STRING_LENGTH * 4).replace(SECRET_VALUES, '[secret]');
  if (text.length <= MAX_STRING_LENGTH && clean.length <= MAX_STRING_LENGTH) return clean;
  return clean.slice(0, MAX_STRING_LENGTH - TRUNCATED.length).toWellFormed() + TRUNCATED;
}

function sanitizeValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitizeText(value);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Error) return sanitizeFields({ ...describeError(value) }, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== 'object') return undefined;
  if (depth > MAX_DEPTH) return '[nested]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => sanitizeValue(item, depth + 1));
  return sanitizeFields(value as Record<string, unknown>, depth);
}

function isForbidden(key: string, value: unknown): boolean {
  if (REMOVED_FIELDS.has(key) || USER_CONTENT_FIELDS.has(key)) return true;
  if (TRUE_ONLY_FLAGS.has(key)) return value !== true;
  return isKnownSecretName(key);
}

/** Field names repeat on every line, so results are cached. The cache is bounded because names can come from data. */
const secretNameCache = new Map<string, boolean>();
const MAX_CACHED_NAMES = 1_000;

function isKnownSecretName(key: string): boolean {
  const cached = secretNameCache.get(key);
  if (cached !== undefined) return cached;
  const secret = isSecretName(key);
  if (secretNameCache.size < MAX_CACHED_NAMES) secretNameCache.set(key, secret);
  return secret;
}

/**
 * `token` and `key` are common words: `inputTokens`, `firstTokenMs` and `jobKey` are not secrets, `accessToken` is one.
 */
function isSecretName(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const last = words.at(-1) ?? '';
  const owner = words.at(-2) ?? '';
  if (words.some((word) => SECRET_WORDS.has(word))) return true;
  return last === 'token' || last === 'apikey' || last === 'jwt' || (last === 'key' && KEY_OWNERS.has(owner));
}

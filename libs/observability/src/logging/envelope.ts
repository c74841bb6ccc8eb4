import { sanitizeFields } from './sanitize.js';

/**
 * Fields at the top level of a line; all others go under `context`
 * (docs/reference/logging-and-metrics.md#log-envelope).
 */
const ENVELOPE_FIELDS = new Set([
  'requestId',
  'provider',
  'model',
  'errorType',
  'attempt',
  'durationMs',
  'costMicroUSD',
  'budgetUtilization',
  'circuitState',
]);

/**
 * Decimals of logged numbers (docs/reference/logging-and-metrics.md#decimals-of-logged-numbers). Internally, numbers
 * have full precision.
 */
const DECIMALS: Readonly<Record<string, number>> = {
  budgetUtilization: 2,
  failureRate: 4,
  spentUSD: 6,
  budgetUSD: 6,
  durationMs: 3,
  variancePercent: 2,
};

export interface Envelope {
  readonly provider: unknown;
  readonly event: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** Builds one log line, without timestamp, level and service. */
export function buildEnvelope(event: string, fields: Readonly<Record<string, unknown>>, traceId?: string): Envelope {
  const top: Record<string, unknown> = {};
  const context: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(sanitizeFields(fields))) {
    (ENVELOPE_FIELDS.has(key) ? top : context)[key] = roundField(key, value);
  }
  if (traceId !== undefined) context.traceId = traceId;
  return { ...top, provider: top.provider ?? 'none', event, context };
}

function roundField(key: string, value: unknown): unknown {
  const decimals = DECIMALS[key];
  return decimals === undefined || typeof value !== 'number' ? value : Number(value.toFixed(decimals));
}

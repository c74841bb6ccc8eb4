/**
 * Outcome of a call: `ok`, a type of the error taxonomy (docs/reference/model-calls.md#error-types), `aborted` by us,
 * or `lost` when its worker died.
 */
export const CALL_OUTCOMES = [
  'ok',
  'rate_limit',
  'timeout',
  'authentication',
  'invalid_request',
  'parsing',
  'budget_exceeded',
  'policy',
  'transient',
  'unknown',
  'lost',
  'aborted',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

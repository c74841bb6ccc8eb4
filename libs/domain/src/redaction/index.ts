export { createPiiCounts, PII_TYPES } from './pii-types.js';
export type { PiiCounts, PiiType } from './pii-types.js';
export { redactText } from './redact-text.js';
export type { Redaction, RedactionOptions } from './redact-text.js';

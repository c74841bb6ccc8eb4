import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { z } from 'zod';
import { buildRequestedSchema } from './requested-schema.js';
import type { JsonSchema } from './extraction-prompt.js';
import { toStrictSchema } from './to-strict-schema.js';

export const RESPONSE_SCHEMA_NAME = RESPONSE_SCHEMA_VERSION;

/**
 * Derives the response schema, once per prompt template, so that every prompt of it contains the same object and bytes.
 */
export function deriveResponseSchema(categories: readonly string[]): JsonSchema {
  return toStrictSchema(z.toJSONSchema(buildRequestedSchema(categories), { io: 'output' }));
}

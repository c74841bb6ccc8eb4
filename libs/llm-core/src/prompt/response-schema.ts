import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { z } from 'zod';
import { buildRequestedSchema } from './requested-schema.js';
import type { JsonSchema } from './extraction-prompt.js';
import { toStrictSchema } from './to-strict-schema.js';

export const RESPONSE_SCHEMA_NAME = RESPONSE_SCHEMA_VERSION;

/** Derived once for a prompt template: the same object, and the same bytes, in every prompt of it. */
export function deriveResponseSchema(categories: readonly string[]): JsonSchema {
  return toStrictSchema(z.toJSONSchema(buildRequestedSchema(categories), { io: 'output' }));
}

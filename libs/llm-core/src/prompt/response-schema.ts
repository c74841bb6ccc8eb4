import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { z } from 'zod';
import { askedShape } from './asked-shape.js';
import type { JsonSchema } from './extraction-prompt.js';
import { toStrictSchema } from './to-strict-schema.js';

export const RESPONSE_SCHEMA_NAME = RESPONSE_SCHEMA_VERSION;

/** Derived once: the same object, and the same bytes, in every prompt. */
export const RESPONSE_SCHEMA: JsonSchema = toStrictSchema(z.toJSONSchema(askedShape, { io: 'output' }));

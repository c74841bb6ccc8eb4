import { isJsonObject } from '../parsing/json-tree.js';
import type { JsonSchema } from '../provider/llm-request.js';

/** Keywords that the strict modes of both APIs enforce; the parser validates everything else. */
const ALLOWED_KEYWORDS = ['type', 'enum', 'const', 'format'] as const;

/**
 * Converts a JSON Schema to the strict subset of both APIs: every property required, an optional one nullable instead,
 * `additionalProperties` false, no ranges.
 */
export function toStrictSchema(schema: JsonSchema): JsonSchema {
  const strict: Record<string, unknown> = {};
  for (const keyword of ALLOWED_KEYWORDS) if (keyword in schema) strict[keyword] = schema[keyword];
  if (isJsonObject(schema['items'])) strict['items'] = toStrictSchema(schema['items']);
  if (!isJsonObject(schema['properties'])) return strict;
  const properties = toStrictProperties(schema['properties'], new Set(schema['required'] as string[] | undefined));
  return { ...strict, properties, required: Object.keys(properties), additionalProperties: false };
}

function toStrictProperties(properties: JsonSchema, required: ReadonlySet<string>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const strict = toStrictSchema(property as JsonSchema);
      return [name, required.has(name) ? strict : { anyOf: [strict, { type: 'null' }] }];
    }),
  );
}

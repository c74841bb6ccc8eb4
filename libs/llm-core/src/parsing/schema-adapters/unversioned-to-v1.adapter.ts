import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/** The current form without its version, as endpoints without schema enforcement return it: `{memories: […]}`. */
export const unversionedToV1Adapter: SchemaAdapter = {
  name: 'unversioned',
  adapt(document) {
    if (!isJsonObject(document) || (document['schemaVersion'] ?? null) !== null) return null;
    const memories = document['memories'];
    return Array.isArray(memories) ? memories : null;
  },
};

import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/** One memory instead of a list: `{memory: {…}}` or `{memories: {…}}`. */
export const singularToV1Adapter: SchemaAdapter = {
  name: 'singular',
  adapt(document) {
    if (!isJsonObject(document)) return null;
    const memory = document['memory'] ?? document['memories'];
    return isJsonObject(memory) ? [memory] : null;
  },
};

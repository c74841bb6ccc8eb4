import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/**
 * The singular form with its version: `{schemaVersion: 'memory_llm_response_v0', memory: {…}}`, or with the fields of
 * the memory at the top level.
 */
export const v0ToV1Adapter: SchemaAdapter = {
  name: 'memory_llm_response_v0',
  adapt(document) {
    if (!isJsonObject(document) || document['schemaVersion'] !== 'memory_llm_response_v0') return null;
    const { schemaVersion: _version, memory, memories, ...fields } = document;
    if (Array.isArray(memories)) return memories;
    return [isJsonObject(memory) ? memory : fields];
  },
};

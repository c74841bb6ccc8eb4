import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/** The singular form by its name: `{schemaVersion: 'memory_llm_response_v0', memory: {…}}`, or the memory's fields beside it. */
export const v0ToV1Adapter: SchemaAdapter = {
  name: 'memory_llm_response_v0',
  adapt(document) {
    if (!isJsonObject(document) || document['schemaVersion'] !== 'memory_llm_response_v0') return null;
    const { schemaVersion: _version, memory, memories, ...fields } = document;
    if (Array.isArray(memories)) return memories;
    return [isJsonObject(memory) ? memory : fields];
  },
};

import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/**
 * A list without an enclosing object. An empty one is not accepted as "no memories"
 * (docs/reference/streaming-and-repair.md#no-memories-only-from-a-complete-answer).
 */
export const bareListToV1Adapter: SchemaAdapter = {
  name: 'bare_list',
  adapt(document) {
    return Array.isArray(document) && document.length > 0 && document.every(isMemoryLike) ? document : null;
  },
};

/** A single memory without an enclosing list. */
export const bareMemoryToV1Adapter: SchemaAdapter = {
  name: 'bare_memory',
  adapt(document) {
    return isMemoryLike(document) ? [document] : null;
  },
};

function isMemoryLike(value: unknown): boolean {
  return isJsonObject(value) && typeof value['content'] === 'string';
}

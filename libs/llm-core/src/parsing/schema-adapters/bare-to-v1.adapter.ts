import { isJsonObject } from '../json-value.js';
import type { SchemaAdapter } from './schema-adapter.js';

/**
 * The list without anything around it. An empty one is not enough to say that there is nothing
 * (docs/reference/streaming-and-repair.md#no-memories-only-from-a-complete-answer).
 */
export const bareListToV1Adapter: SchemaAdapter = {
  name: 'bare_list',
  adapt(document) {
    return Array.isArray(document) && document.length > 0 && document.every(isMemoryLike) ? document : null;
  },
};

/** A single memory without anything around it. */
export const bareMemoryToV1Adapter: SchemaAdapter = {
  name: 'bare_memory',
  adapt(document) {
    return isMemoryLike(document) ? [document] : null;
  },
};

function isMemoryLike(value: unknown): boolean {
  return isJsonObject(value) && typeof value['content'] === 'string';
}

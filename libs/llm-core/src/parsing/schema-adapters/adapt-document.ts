import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { isJsonObject, type JsonObject } from '../json-value.js';
import { bareListToV1Adapter, bareMemoryToV1Adapter } from './bare-to-v1.adapter.js';
import type { SchemaAdapter } from './schema-adapter.js';
import { singularToV1Adapter } from './singular-to-v1.adapter.js';
import { unversionedToV1Adapter } from './unversioned-to-v1.adapter.js';
import { v0ToV1Adapter } from './v0-to-v1.adapter.js';

/**
 * Result of the version handshake (docs/reference/streaming-and-repair.md#response-schema-and-adapters). `problem` is a
 * sentence for the correction.
 */
export type AdaptedDocument =
  { readonly memories: readonly unknown[]; readonly adaptedFrom: string | null } | { readonly problem: string };

/** Tried in this order after the current version. A new adapter needs a file and an entry here. */
const ADAPTERS: readonly SchemaAdapter[] = [
  v0ToV1Adapter,
  unversionedToV1Adapter,
  bareListToV1Adapter,
  bareMemoryToV1Adapter,
];

// Only a version of this form is quoted; anything else could be user content.
const VERSION_PATTERN = /^memory_llm_response_v\d{1,4}$/;

/** Returns the memories of a document in any supported form; null if it is not an answer. */
export function adaptDocument(document: unknown): AdaptedDocument | null {
  const parsed = parseNestedList(document);
  if (!isJsonObject(parsed)) return adapt(parsed, ADAPTERS);
  const version = parsed['schemaVersion'] ?? null;
  if (version === RESPONSE_SCHEMA_VERSION) return adaptCurrentVersion(parsed);
  const adapted = adapt(parsed, version === null ? [...ADAPTERS, singularToV1Adapter] : ADAPTERS);
  if (adapted || version === null) return adapted;
  return { problem: describeVersion(version) };
}

function adaptCurrentVersion(document: JsonObject): AdaptedDocument {
  const { memories } = document;
  if (Array.isArray(memories)) return { memories, adaptedFrom: null };
  return (
    adapt(document, [singularToV1Adapter]) ?? {
      problem: 'The answer has no list at "memories". Use an empty list when there is nothing to remember.',
    }
  );
}

function adapt(document: unknown, adapters: readonly SchemaAdapter[]): AdaptedDocument | null {
  for (const adapter of adapters) {
    const memories = adapter.adapt(document);
    if (memories) return { memories, adaptedFrom: adapter.name };
  }
  return null;
}

// Parses a list that was encoded twice, as a string.
function parseNestedList(document: unknown): unknown {
  if (!isJsonObject(document) || typeof document['memories'] !== 'string') return document;
  try {
    const memories: unknown = JSON.parse(document['memories']);
    return Array.isArray(memories) ? { ...document, memories } : document;
  } catch {
    return document;
  }
}

function describeVersion(version: unknown): string {
  const isOurs = typeof version === 'string' && VERSION_PATTERN.test(version);
  const claim = isOurs ? `says schemaVersion "${version}", which is not known here` : 'says an unknown schemaVersion';
  return `The answer ${claim}. Use "${RESPONSE_SCHEMA_VERSION}".`;
}

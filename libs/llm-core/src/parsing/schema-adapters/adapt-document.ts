import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { isJsonObject, type JsonObject } from '../json-value.js';
import { bareListToV1Adapter, bareMemoryToV1Adapter } from './bare-to-v1.adapter.js';
import type { SchemaAdapter } from './schema-adapter.js';
import { singularToV1Adapter } from './singular-to-v1.adapter.js';
import { unversionedToV1Adapter } from './unversioned-to-v1.adapter.js';
import { v0ToV1Adapter } from './v0-to-v1.adapter.js';

/**
 * What the version handshake found (docs/reference/streaming-and-repair.md#response-schema-and-adapters). `problem` is
 * a sentence for the corrective attempt.
 */
export type AdaptedDocument =
  { readonly memories: readonly unknown[]; readonly adaptedFrom: string | null } | { readonly problem: string };

/** Asked in this order after the agreed form; a new form gets a file and a place here. */
const ADAPTERS: readonly SchemaAdapter[] = [
  v0ToV1Adapter,
  unversionedToV1Adapter,
  bareListToV1Adapter,
  bareMemoryToV1Adapter,
];

// Only a version of our own making is repeated; anything else could be the conversation's words.
const OUR_VERSION = /^memory_llm_response_v\d{1,4}$/;

/** The memories of a document in any form we know; null when it is not an answer at all. */
export function adaptDocument(document: unknown): AdaptedDocument | null {
  const opened = openNestedList(document);
  if (!isJsonObject(opened)) return adapt(opened, ADAPTERS);
  const version = opened['schemaVersion'] ?? null;
  if (version === RESPONSE_SCHEMA_VERSION) return adaptCurrentVersion(opened);
  const adapted = adapt(opened, version === null ? [...ADAPTERS, singularToV1Adapter] : ADAPTERS);
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

// A list that was encoded a second time, into a string.
function openNestedList(document: unknown): unknown {
  if (!isJsonObject(document) || typeof document['memories'] !== 'string') return document;
  try {
    const memories: unknown = JSON.parse(document['memories']);
    return Array.isArray(memories) ? { ...document, memories } : document;
  } catch {
    return document;
  }
}

function describeVersion(version: unknown): string {
  const isOurs = typeof version === 'string' && OUR_VERSION.test(version);
  const said = isOurs ? `says schemaVersion "${version}", which is not known here` : 'says an unknown schemaVersion';
  return `The answer ${said}. Use "${RESPONSE_SCHEMA_VERSION}".`;
}

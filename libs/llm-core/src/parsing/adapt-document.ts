import { RESPONSE_SCHEMA_VERSION } from '@annals/contracts';
import { isJsonObject, type JsonObject } from './json-tree.js';

/** See docs/reference/streaming-and-repair.md#response-schema-and-adapters. `problem`: for the correction. */
export type AdaptedDocument =
  { readonly memories: readonly unknown[]; readonly adaptedFrom: string | null } | { readonly problem: string };

/** Returns the memories of another form of an answer, not validated yet; null if the document does not have this form. */
type SchemaAdapter = (document: unknown) => readonly unknown[] | null;

/** Name of the form of a single memory without an enclosing list. */
export const BARE_MEMORY = 'bare_memory';

/** Tried in this order after the current version. Names are those in logs, metrics and `adaptedFrom`. */
const ADAPTERS: Readonly<Record<string, SchemaAdapter>> = {
  /** The singular form with its version: `{schemaVersion, memory: {…}}`, or the fields at the top level. */
  memory_llm_response_v0(document) {
    if (!isJsonObject(document) || document['schemaVersion'] !== 'memory_llm_response_v0') return null;
    const { schemaVersion: _version, memory, memories, ...fields } = document;
    if (Array.isArray(memories)) return memories;
    return [isJsonObject(memory) ? memory : fields];
  },
  /** The current form without its version, as endpoints without schema enforcement return it: `{memories: […]}`. */
  unversioned(document) {
    if (!isJsonObject(document) || (document['schemaVersion'] ?? null) !== null) return null;
    const memories = document['memories'];
    return Array.isArray(memories) ? memories : null;
  },
  /**
   * A list without an enclosing object. An empty one is not accepted as "no memories"
   * (docs/reference/streaming-and-repair.md#no-memories-only-from-a-complete-answer).
   */
  bare_list(document) {
    return Array.isArray(document) && document.length > 0 && document.every(isMemoryLike) ? document : null;
  },
  [BARE_MEMORY](document) {
    return isMemoryLike(document) ? [document] : null;
  },
};

/** One memory instead of a list: `{memory: {…}}` or `{memories: {…}}`. Only for the current version or without one. */
const SINGULAR_ADAPTER: typeof ADAPTERS = {
  singular(document) {
    if (!isJsonObject(document)) return null;
    const memory = document['memory'] ?? document['memories'];
    return isJsonObject(memory) ? [memory] : null;
  },
};

// Only a version of this form is quoted; anything else could be user content.
const VERSION_PATTERN = /^memory_llm_response_v\d{1,4}$/;

/** Returns the memories of a document in any supported form; null if it is not an answer. */
export function adaptDocument(document: unknown): AdaptedDocument | null {
  const parsed = parseNestedList(document);
  if (!isJsonObject(parsed)) return adapt(parsed, ADAPTERS);
  const version = parsed['schemaVersion'] ?? null;
  if (version === RESPONSE_SCHEMA_VERSION) return adaptCurrentVersion(parsed);
  if (version === null) return adapt(parsed, { ...ADAPTERS, ...SINGULAR_ADAPTER });
  return adapt(parsed, ADAPTERS) ?? { problem: describeVersion(version) };
}

function adaptCurrentVersion(document: JsonObject): AdaptedDocument {
  const { memories } = document;
  if (Array.isArray(memories)) return { memories, adaptedFrom: null };
  const problem = 'The answer has no list at "memories". Use an empty list when there is nothing to remember.';
  return adapt(document, SINGULAR_ADAPTER) ?? { problem };
}

function adapt(document: unknown, adapters: typeof ADAPTERS): AdaptedDocument | null {
  for (const [adaptedFrom, adapter] of Object.entries(adapters)) {
    const memories = adapter(document);
    if (memories) return { memories, adaptedFrom };
  }
  return null;
}

function isMemoryLike(value: unknown): boolean {
  return isJsonObject(value) && typeof value['content'] === 'string';
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

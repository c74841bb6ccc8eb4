import { findDocuments, cutBehindLastBracket } from './find-documents.js';
import { toJsonValue, walkTree } from './json-tree.js';
import { type JsonDocument, repairDocument } from './repair-document.js';
import { adaptDocument } from './adapt-document.js';
import { unwrapText } from './unwrap-text.js';

/**
 * A repaired document: `text` is strict JSON, `repairs` the number of changed places
 * (docs/reference/streaming-and-repair.md#json-repair-limits).
 */
export interface RepairedJson {
  readonly text: string;
  readonly repairs: number;
}

/**
 * Repairs almost-JSON to strict JSON within the limits (docs/reference/streaming-and-repair.md#json-repair-limits): the
 * first object or array of the text that is an answer, otherwise the first one. Prose, fences and `<think>` blocks
 * around it are removed and not counted. Null if there is none, if it cannot be repaired, or if the result would
 * contain a string or number that is not in `text`.
 */
export function repairJson(text: string): RepairedJson | null {
  let first: JsonDocument | null = null;
  for (const { text: raw } of findDocuments(unwrapText(text))) {
    const document = repairDocument(raw) ?? repairDocument(cutBehindLastBracket(raw) ?? '');
    if (!document || hasInventedValue(document)) continue;
    first ??= document;
    if (adaptDocument(toJsonValue(document.tree, new WeakMap()))) return pick(document);
  }
  return first && pick(first);
}

function hasInventedValue({ tree, verifier }: JsonDocument): boolean {
  return verifier !== null && [...walkTree(tree)].some((node) => !verifier.occursInSource(node));
}

function pick({ text, repairs }: JsonDocument): RepairedJson {
  return { text: text.trim(), repairs };
}

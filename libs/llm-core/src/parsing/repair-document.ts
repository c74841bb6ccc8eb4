import { jsonrepair } from 'jsonrepair';
import { diffText, type TextChange } from './diff-text.js';
import { type JsonNode, parseJsonTree, walkTree } from './json-tree.js';
import { RepairVerifier } from './repair-verifier.js';
import { decodeDocument } from './unwrap-text.js';

/** See docs/reference/streaming-and-repair.md#json-repair-limits. */
export const MAX_REPAIRS = 10;
/** In UTF-16 units (docs/reference/streaming-and-repair.md#json-repair-limits). */
const MAX_REPAIR_LENGTH = 50_000;

/** One JSON document of an answer, as strict JSON. */
export interface JsonDocument {
  readonly text: string;
  readonly tree: JsonNode;
  /** Number of repaired places. */
  readonly repairs: number;
  /** Null if nothing was repaired. */
  readonly verifier: RepairVerifier | null;
}

const ONLY_QUOTES = /^(?:["'`\u00b4\u2018-\u201f\\]|&(?:quot|apos|#3[49]);)*$/;
const DOUBLED_COMMA = /,\s*,/;
const NO_VALUE = /^[+-]?(?:nan|inf|infinity|undefined|null|nil|none)$/i;

/**
 * Repairs one document to strict JSON. Null past the limits (docs/reference/streaming-and-repair.md#json-repair-limits)
 * or if `jsonrepair` fails. One repair is one contiguous changed range, white space aside; replacing the kind of quotes
 * counts as one repair for the whole document. Words for "no value" of other languages (NaN, Infinity, undefined, nil)
 * become null, never a string.
 */
export function repairDocument(raw: string): JsonDocument | null {
  const source = decodeDocument(raw);
  const decoding = source === raw ? 0 : 1;
  const strict = parseJsonTree(source);
  if (strict) return { text: source, tree: strict, repairs: decoding, verifier: null };
  const repaired = source.length > MAX_REPAIR_LENGTH ? null : runRepair(source);
  const changes = repaired === null ? null : diffText(source, repaired);
  if (repaired === null || !changes) return null;
  const repairs = decoding + countRepairs(changes, source, repaired);
  if (repairs > MAX_REPAIRS) return null;
  const verifier = new RepairVerifier(source, repaired, changes);
  const text = blankNonValues(repaired, verifier);
  const tree = parseJsonTree(text);
  return tree && { text, tree, repairs, verifier };
}

function runRepair(source: string): string | null {
  const repaired = tryRepair(source);
  if (repaired !== null || !DOUBLED_COMMA.test(source)) return repaired;
  return tryRepair(dropEmptyElements(source));
}

function tryRepair(source: string): string | null {
  try {
    return jsonrepair(source);
  } catch {
    return null;
  }
}

// jsonrepair does not support doubled commas.
function dropEmptyElements(source: string): string {
  return source.replace(/("(?:[^"\\]|\\[^])*")|,(?=\s*,)/g, (_, string: string | undefined) => string ?? '');
}

function countRepairs(changes: readonly TextChange[], source: string, repaired: string): number {
  let repairs = 0;
  let quoting = 0;
  let lastEnd = -1;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const changed = source.slice(beforeStart, beforeEnd) + repaired.slice(afterStart, afterEnd);
    if (changed.trim() === '') continue;
    // "None" to "null" is one repair, although one of its letters is unchanged.
    const isSameWord = lastEnd >= 0 && /^\w{0,8}$/.test(repaired.slice(lastEnd, afterStart));
    if (ONLY_QUOTES.test(changed)) quoting = 1;
    else if (!isSameWord) repairs += 1;
    lastEnd = ONLY_QUOTES.test(changed) ? -1 : afterEnd;
  }
  return repairs + quoting;
}

// Padded with blanks to the same length, so that all positions remain valid.
function blankNonValues(repaired: string, verifier: RepairVerifier): string {
  const tree = parseJsonTree(repaired);
  let text = repaired;
  for (const node of tree ? walkTree(tree) : []) {
    if (node.kind !== 'string' || !NO_VALUE.test(node.value) || !verifier.isUnquoted(node)) continue;
    text = text.slice(0, node.start) + 'null'.padEnd(node.end - node.start) + text.slice(node.end);
  }
  return text;
}

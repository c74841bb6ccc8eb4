import {
  evidenceSchema,
  type ExtractedMemory,
  extractedMemorySchema,
  extractedRelationSchema,
} from '@annals/contracts';
import { adaptDocument, type AdaptedDocument } from './adapt-document.js';
import { coerceMemory, type MemoryIssue } from './coerce-memory.js';
import { cutBehindLastBracket, type DocumentText } from './find-documents.js';
import { type JsonNode, type StringNode, toJsonValue, walkTree } from './json-tree.js';
import { type JsonDocument, MAX_REPAIRS, repairDocument } from './repair-document.js';
import type { RepairVerifier } from './repair-verifier.js';

/** Maximum number of memories that the contract accepts in one answer. */
const MAX_MEMORIES = 200;

/** One document of an answer, parsed as far as it can be trusted. */
export interface ParsedDocument {
  /** In the order of the answer; null for a dropped memory. */
  readonly memories: readonly (ExtractedMemory | null)[];
  readonly issues: readonly MemoryIssue[];
  /**
   * False if the list of memories was closed by a repair: that it is empty is then not conclusive
   * (docs/reference/streaming-and-repair.md#no-memories-only-from-a-complete-answer).
   */
  readonly isListWhole: boolean;
  readonly repairs: number;
  readonly adaptedFrom: string | null;
  /** Why the document cannot be parsed, a sentence; otherwise null. */
  readonly problem: string | null;
}

/**
 * Parses one document. A truncated one is parsed both up to its last complete memory and repaired as a whole: the
 * result with more memories is used. Null if it is not an answer or cannot be repaired.
 */
export function parseDocument({ text, isOpen, completePart }: DocumentText): ParsedDocument | null {
  const whole = repairDocument(text);
  const candidates = [whole && read(whole, 0)];
  if (isOpen && completePart) {
    const cut = repairDocument(completePart.text);
    candidates.unshift(cut && read({ ...cut, repairs: cut.repairs + 1 }, completePart.lost));
  }
  const untilBracket = whole || !isOpen ? null : cutBehindLastBracket(text);
  const tidied = untilBracket && repairDocument(untilBracket);
  if (tidied) candidates.push(read(tidied, 0));
  return candidates.reduce(
    (best, next) => (next && countMemories(next) > countMemories(best) ? next : (best ?? next)),
    null,
  );
}

/** Number of memories of a parsed document that were not dropped; −1 without a document. */
export function countMemories(parsed: ParsedDocument | null): number {
  return parsed ? parsed.memories.filter((memory) => memory !== null).length : -1;
}

function read(document: JsonDocument, lost: 0 | 1): ParsedDocument | null {
  if (document.repairs > MAX_REPAIRS) return null;
  const nodes = new WeakMap<object, JsonNode>();
  const value = toJsonValue(document.tree, nodes);
  const adapted = hasTwoLists(document.tree) ? { problem: TWO_LISTS } : adaptDocument(value);
  if (!adapted || ('problem' in adapted && document.verifier?.isVerbatim(document.tree) === false)) return null;
  return coerceMemories(adapted, document, nodes, lost);
}

const TWO_LISTS = 'The answer has more than one list at "memories". Put all memories into one.';

function hasTwoLists(tree: JsonNode): boolean {
  return tree.kind === 'object' && tree.members.filter(({ key }) => key.value === 'memories').length > 1;
}

function coerceMemories(
  adapted: AdaptedDocument,
  { tree, repairs, verifier }: JsonDocument,
  nodes: WeakMap<object, JsonNode>,
  lost: 0 | 1,
): ParsedDocument {
  if ('problem' in adapted) {
    return { memories: [], issues: [], isListWhole: false, repairs, adaptedFrom: null, problem: adapted.problem };
  }
  const issues: MemoryIssue[] = [];
  const report = (position: number, found: readonly MemoryIssue[]) => {
    issues.push(...found.map(({ code, path }) => ({ code, path: ['memories', position, ...path] })));
    return null;
  };
  const memories: (ExtractedMemory | null)[] = adapted.memories.map((raw, position) => {
    const node = typeof raw === 'object' && raw !== null ? nodes.get(raw) : undefined;
    if (position >= MAX_MEMORIES) return report(position, [{ code: 'too_big', path: [] }]);
    if (node && !isIntactMemory(node, verifier)) return report(position, [{ code: 'unclear', path: [] }]);
    const coerced = coerceMemory(raw);
    return 'memory' in coerced ? coerced.memory : report(position, coerced.issues);
  });
  if (lost === 1) memories.push(report(memories.length, [{ code: 'cut', path: [] }]));
  const isListWhole = !verifier || verifier.isVerbatim(nodes.get(adapted.memories) ?? tree);
  return { memories, issues, isListWhole, repairs, adaptedFrom: adapted.adaptedFrom, problem: null };
}

const KEYS_OF_MEMORY = new Set(Object.keys(extractedMemorySchema.shape));
const KEYS_OF_LISTS: Readonly<Record<string, ReadonlySet<string>>> = {
  evidence: new Set(Object.keys(evidenceSchema.shape)),
  relations: new Set(Object.keys(extractedRelationSchema.shape)),
};

/**
 * Whether a memory is exactly what the model returned, completely: no duplicate field (two merged memories), and if a
 * repair changed it, every value verified against the answer and no field that the schema does not have (half of a
 * string that a repair split). `verifier` is null if nothing was repaired.
 */
function isIntactMemory(memory: JsonNode, verifier: RepairVerifier | null): boolean {
  if (hasRepeatedKey(memory)) return false;
  if (!verifier?.isModified(memory)) return true;
  return listUnknownKeys(memory).length === 0 && [...walkTree(memory)].every((node) => verifier.isVerbatim(node));
}

function hasRepeatedKey(node: JsonNode): boolean {
  return [...walkTree(node)].some(
    (inner) =>
      inner.kind === 'object' && new Set(inner.members.map(({ key }) => key.value)).size < inner.members.length,
  );
}

function listUnknownKeys(memory: JsonNode): StringNode[] {
  if (memory.kind !== 'object') return [];
  return memory.members.flatMap(({ key, value }) => {
    if (!KEYS_OF_MEMORY.has(key.value)) return [key];
    const known = KEYS_OF_LISTS[key.value];
    if (!known || value.kind !== 'array') return [];
    return value.elements.flatMap((element) =>
      element.kind === 'object'
        ? element.members.map((member) => member.key).filter(({ value: name }) => !known.has(name))
        : [],
    );
  });
}

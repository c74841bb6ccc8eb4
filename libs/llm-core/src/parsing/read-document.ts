import type { ExtractedMemory } from '@annals/contracts';
import type { DocumentText } from './find-documents.js';
import { cutBehindLastBracket } from './find-documents.js';
import { fitMemory, type MemoryIssue } from './fit-memory.js';
import { isTrustworthy } from './judge-memory.js';
import type { JsonNode } from './json-tree.js';
import { readValue } from './json-value.js';
import { type JsonDocument, MAX_REPAIRS, repairDocument } from './repair-document.js';
import { type AdaptedDocument, adaptDocument } from './schema-adapters/adapt-document.js';

/** What contracts accept in one answer. */
const MAX_MEMORIES = 200;

/** One document of an answer, read as far as it can be trusted. */
export interface DocumentReading {
  /** In the order of the answer; null where one was left out. */
  readonly memories: readonly (ExtractedMemory | null)[];
  readonly issues: readonly MemoryIssue[];
  /** False when the list of memories had to be closed by us: that it holds nothing says nothing (decision 30). */
  readonly isListWhole: boolean;
  readonly repairs: number;
  readonly adaptedFrom: string | null;
  /** Why nothing of it can be read, a sentence. */
  readonly problem: string | null;
}

/**
 * Reads one document. One that was cut is read up to its last complete memory, and repaired as a whole beside that: what
 * keeps more memories wins. Null when it is no answer or cannot be repaired.
 */
export function readDocument({ text, isOpen, completePart }: DocumentText): DocumentReading | null {
  const whole = repairDocument(text);
  const readings = [whole && read(whole, 0)];
  if (isOpen && completePart) {
    const cut = repairDocument(completePart.text);
    readings.unshift(cut && read({ ...cut, repairs: cut.repairs + 1 }, completePart.lost));
  }
  const untilBracket = whole || !isOpen ? null : cutBehindLastBracket(text);
  const tidied = untilBracket && repairDocument(untilBracket);
  if (tidied) readings.push(read(tidied, 0));
  return readings.reduce((best, next) => (next && countKept(next) > countKept(best) ? next : (best ?? next)), null);
}

/** How many memories a reading keeps; −1 for none at all. */
export function countKept(reading: DocumentReading | null): number {
  return reading ? reading.memories.filter((memory) => memory !== null).length : -1;
}

function read(document: JsonDocument, lost: 0 | 1): DocumentReading | null {
  if (document.repairs > MAX_REPAIRS) return null;
  const nodes = new WeakMap<object, JsonNode>();
  const value = readValue(document.tree, nodes);
  const adapted = hasTwoLists(document.tree) ? { problem: TWO_LISTS } : adaptDocument(value);
  if (!adapted || ('problem' in adapted && document.witness?.isVouched(document.tree) === false)) return null;
  return fitAll(adapted, document, nodes, lost);
}

const TWO_LISTS = 'The answer has more than one list at "memories". Put all memories into one.';

function hasTwoLists(tree: JsonNode): boolean {
  return tree.kind === 'object' && tree.members.filter(({ key }) => key.value === 'memories').length > 1;
}

function fitAll(
  adapted: AdaptedDocument,
  { tree, repairs, witness }: JsonDocument,
  nodes: WeakMap<object, JsonNode>,
  lost: 0 | 1,
): DocumentReading {
  if ('problem' in adapted) {
    return { memories: [], issues: [], isListWhole: false, repairs, adaptedFrom: null, problem: adapted.problem };
  }
  const issues: MemoryIssue[] = [];
  const report = (place: number, found: readonly MemoryIssue[]) => {
    issues.push(...found.map(({ code, path }) => ({ code, path: ['memories', place, ...path] })));
    return null;
  };
  const memories: (ExtractedMemory | null)[] = adapted.memories.map((raw, place) => {
    const node = typeof raw === 'object' && raw !== null ? nodes.get(raw) : undefined;
    if (place >= MAX_MEMORIES) return report(place, [{ code: 'too_big', path: [] }]);
    if (node && !isTrustworthy(node, witness)) return report(place, [{ code: 'unclear', path: [] }]);
    const fitted = fitMemory(raw);
    return 'memory' in fitted ? fitted.memory : report(place, fitted.issues);
  });
  if (lost === 1) memories.push(report(memories.length, [{ code: 'cut', path: [] }]));
  const isListWhole = !witness || witness.isVouched(nodes.get(adapted.memories) ?? tree);
  return { memories, issues, isListWhole, repairs, adaptedFrom: adapted.adaptedFrom, problem: null };
}

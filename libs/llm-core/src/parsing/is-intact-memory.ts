import { evidenceSchema, extractedMemorySchema, extractedRelationSchema } from '@annals/contracts';
import { type JsonNode, type StringNode, walkTree } from './json-tree.js';
import type { RepairVerifier } from './repair-verifier.js';

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
export function isIntactMemory(memory: JsonNode, verifier: RepairVerifier | null): boolean {
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

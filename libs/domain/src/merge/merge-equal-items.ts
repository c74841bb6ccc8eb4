import type { Evidence, ExtractedItem } from '@annals/contracts';
import { hashContent } from '../hash/content-hash.js';
import { remapRelations } from '../ordering/remap-relations.js';
import { clampConfidence, DEFAULT_CONFIDENCE, mergeConfidence } from './merge-confidence.js';
import { mergeContext } from './merge-fields.js';

/** Maximum evidence per statement: the limit of the contracts. */
const MAX_EVIDENCE = 20;

/**
 * Merges items with the same hash into the index of the first, pairwise and in order, in the spelling of the more
 * confident (docs/reference/writes.md#equal-items-of-one-batch). A quarantined item adds nothing to a grounded one.
 * `relations` are remapped.
 */
export function mergeEqualItems(items: readonly ExtractedItem[]): ExtractedItem[] {
  const indexByHash = new Map<string, number>();
  const merged: ExtractedItem[] = [];
  const newIndexes = items.map((item) => {
    const hash = hashContent(item.content);
    const index = indexByHash.get(hash) ?? merged.length;
    const base = merged[index];
    indexByHash.set(hash, index);
    merged[index] = base ? mergePair(base, item) : item;
    return index;
  });
  return remapRelations(merged, newIndexes);
}

function mergePair(base: ExtractedItem, incoming: ExtractedItem): ExtractedItem {
  if (isQuarantined(base) !== isQuarantined(incoming)) return isQuarantined(base) ? incoming : base;
  const [baseConfidence, incomingConfidence] = [clampConfidence(base.confidence), clampConfidence(incoming.confidence)];
  const winner = incomingConfidence >= baseConfidence ? incoming : base;
  const { emotionalContext, significance, relationshipDynamics, rationale } = mergeContext(
    base,
    incoming,
    incomingConfidence > baseConfidence,
  );
  return {
    ...base,
    content: winner.content,
    category: winner.category,
    type: winner.type,
    importance: Math.max(base.importance, incoming.importance),
    confidence: mergeConfidence(base.confidence, incoming.confidence, DEFAULT_CONFIDENCE),
    evidence: mergeEvidence(base.evidence, incoming.evidence),
    ...present({
      valid_from: earlier(base.valid_from, incoming.valid_from),
      valid_to: incoming.valid_to ?? base.valid_to,
      relations: [...(base.relations ?? []), ...(incoming.relations ?? [])],
      emotionalContext: emotionalContext as ExtractedItem['emotionalContext'],
      significance: significance as ExtractedItem['significance'] | null,
      relationshipDynamics,
      rationale,
    }),
  };
}

function isQuarantined(item: ExtractedItem): boolean {
  return item.quarantineReason !== undefined;
}

function mergeEvidence(a: readonly Evidence[], b: readonly Evidence[]): Evidence[] {
  const united = new Map(
    [...a, ...b].map((evidence) => [JSON.stringify([evidence.message_id, evidence.quote]), evidence]),
  );
  return [...united.values()].slice(0, MAX_EVIDENCE);
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(b) < Date.parse(a) ? b : a;
}

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

// Optional fields stay absent instead of becoming null or an empty list.
function present<T extends object>(fields: T): Present<T> {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given) as Present<T>;
}

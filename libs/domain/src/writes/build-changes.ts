import { type ExtractedItem, RELATION_TYPES, type RelationType } from '@annals/contracts';
import { clampConfidence, roundConfidence } from '../merge/merge-confidence.js';
import type { MemoryChange, NewMemory, PlannedLink } from './types.js';

/** What extraction committed for a batch, and the time of each of its messages. */
export interface BatchFindings {
  readonly provider: string;
  readonly model: string;
  /** Cost of the extraction, in whole micro-USD. */
  readonly costMicroUsd: number;
  readonly items: readonly ExtractedItem[];
  /** Epoch ms by message id. */
  readonly saidAt: ReadonlyMap<string, number>;
  /** Epoch ms; the time of a memory that cites no message of the batch. */
  readonly acceptedAt: number;
}

export function buildChanges(findings: BatchFindings): { changes: MemoryChange[]; links: PlannedLink[] } {
  const costs = splitCost(findings.costMicroUsd, findings.items.length);
  const changes = findings.items.map((item, index): MemoryChange => ({
    kind: 'observe',
    memory: toMemory(item, costs[index] ?? 0, findings),
  }));
  const links = findings.items.flatMap((item, from) =>
    (item.relations ?? []).map((relation): PlannedLink => ({
      from,
      to: relation.to_index,
      relationType: toRelationType(relation.relation_type),
      strength: relation.strength,
    })),
  );
  return { changes, links };
}

/** Never words of a conversation: the history keeps links for good (docs/reference/audit.md#hash-chain-of-the-history). */
function toRelationType(said: string): RelationType {
  return RELATION_TYPES.find((type) => type === said) ?? 'related_to';
}

/** Splits `total` into whole parts that differ by at most one and add up to it. */
export function splitCost(total: number, parts: number): number[] {
  const share = parts === 0 ? 0 : Math.floor(total / parts);
  return Array.from({ length: parts }, (_, index) => share + (index < total - share * parts ? 1 : 0));
}

function toMemory(item: ExtractedItem, costMicroUsd: number, findings: BatchFindings): NewMemory {
  // A model may name messages that do not exist; those cannot be sources.
  const evidence = item.evidence.filter(({ message_id }) => findings.saidAt.has(message_id));
  const times = evidence.map(({ message_id }) => findings.saidAt.get(message_id) ?? findings.acceptedAt);
  const validTo = item.valid_to === undefined ? null : Date.parse(item.valid_to);
  return {
    content: item.content,
    category: item.category,
    type: item.type,
    origin: 'extraction',
    importance: item.importance,
    confidence: roundConfidence(clampConfidence(item.confidence)),
    pinned: false,
    emotionalContext: item.emotionalContext ?? null,
    significance: item.significance ?? null,
    relationshipDynamics: item.relationshipDynamics ?? null,
    rationale: item.rationale ?? null,
    provider: findings.provider,
    model: findings.model,
    costMicroUsd,
    quarantineReason: item.quarantineReason ?? null,
    validFrom: computeValidFrom(item, times, validTo, findings.acceptedAt),
    validTo,
    saidAt: times.length === 0 ? findings.acceptedAt : Math.max(...times),
    sources: evidence.map(({ message_id, quote }) => ({ messageId: message_id, quote })),
  };
}

/** `valid_from`: the item's own, else the time of its first message, but not after its `valid_to` ("until 2020"). */
function computeValidFrom(
  item: ExtractedItem,
  times: readonly number[],
  validTo: number | null,
  acceptedAt: number,
): number {
  if (item.valid_from !== undefined) return Date.parse(item.valid_from);
  const firstSaid = times.length === 0 ? acceptedAt : Math.min(...times);
  return validTo === null ? firstSaid : Math.min(firstSaid, validTo);
}

import { hashContent } from '../hash/index.js';
import { extractSlot } from '../meaning/index.js';
import type { NewMemory, StoredMemory } from './types.js';

interface RowFacts {
  readonly id: string;
  /** Epoch ms. */
  readonly now: number;
  readonly termCount: number;
  readonly supersededBy: string | null;
}

/** Creates the row of a new statement. */
export function createRow(memory: NewMemory, { id, now, termCount, supersededBy }: RowFacts): StoredMemory {
  return {
    id,
    category: memory.category,
    type: memory.type,
    content: memory.content,
    hash: hashContent(memory.content),
    state: memory.quarantineReason === null ? 'active' : 'quarantined',
    origin: memory.origin,
    importance: memory.importance,
    confidence: memory.confidence,
    pinned: memory.pinned,
    emotionalContext: memory.emotionalContext,
    significance: memory.significance,
    relationshipDynamics: memory.relationshipDynamics,
    rationale: memory.rationale,
    provider: memory.provider,
    model: memory.model,
    costMicroUsd: memory.costMicroUsd,
    quarantineReason: memory.quarantineReason,
    revision: 1,
    termCount,
    validFrom: memory.validFrom,
    validTo: memory.validTo,
    supersededBy,
    recordedAt: now,
    closedAt: memory.validTo === null ? null : now,
    formerEnds: [],
    slot: extractSlot(memory)?.key ?? null,
    deletedAt: null,
    deletedBy: null,
    purgeAt: null,
  };
}

/** Copies a row for another period of validity. */
export function copyRow(
  memory: StoredMemory,
  { id, now, validFrom }: Pick<RowFacts, 'id' | 'now'> & { readonly validFrom: number },
): StoredMemory {
  const closedAt = memory.validTo === null ? null : now;
  return { ...memory, id, revision: 1, validFrom, recordedAt: now, closedAt, formerEnds: [] };
}

import type { StoredMemory } from '@annals/domain';
import type { MemoryEntity } from '../entities/memory.entity.js';
import { columnsSql } from '../query/binder.js';

const COLUMNS = [
  'id',
  'category',
  'type',
  'content',
  'normalized_hash',
  'state',
  'origin',
  'importance',
  'confidence',
  'pinned',
  'emotional_context',
  'significance',
  'relationship_dynamics',
  'rationale',
  'provider',
  'model',
  'cost_micro_usd',
  'quarantine_reason',
  'revision',
  'term_count',
  'valid_from',
  'valid_to',
  'superseded_by',
  'recorded_at',
  'closed_at',
  'former_ends',
  'slot',
  'updated_at',
  'deleted_at',
  'deleted_by',
  'purge_at',
] as const satisfies readonly (keyof MemoryEntity)[];

/** Columns of `memories m` that make up a StoredMemory. */
export const MEMORY_COLUMNS = columnsSql('m', COLUMNS);

export type MemoryRow = Pick<MemoryEntity, (typeof COLUMNS)[number]>;

export function toStoredMemory(row: MemoryRow): StoredMemory {
  return {
    id: row.id,
    category: row.category,
    type: row.type,
    content: row.content,
    hash: row.normalized_hash,
    state: row.state,
    origin: row.origin,
    importance: row.importance,
    confidence: row.confidence,
    pinned: row.pinned,
    emotionalContext: row.emotional_context,
    significance: row.significance,
    relationshipDynamics: row.relationship_dynamics,
    rationale: row.rationale,
    provider: row.provider,
    model: row.model,
    costMicroUsd: Number(row.cost_micro_usd),
    quarantineReason: row.quarantine_reason,
    revision: row.revision,
    termCount: row.term_count,
    validFrom: row.valid_from.getTime(),
    validTo: row.valid_to?.getTime() ?? null,
    supersededBy: row.superseded_by,
    recordedAt: row.recorded_at.getTime(),
    closedAt: row.closed_at?.getTime() ?? null,
    formerEnds: row.former_ends ?? [],
    slot: row.slot,
    deletedAt: row.deleted_at?.getTime() ?? null,
    deletedBy: row.deleted_by,
    purgeAt: row.purge_at?.getTime() ?? null,
  };
}

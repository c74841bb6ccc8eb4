import type { MemoryState, MemoryType } from '@annals/contracts';
import type { FormerEnd, StoredMemory } from '@annals/domain';

/** Columns of `memories` that make up a StoredMemory. */
export const MEMORY_COLUMNS = `id, category, type, content, normalized_hash, state, origin, importance, confidence,
  pinned, emotional_context, significance, relationship_dynamics, rationale, provider, model, cost_micro_usd,
  quarantine_reason, revision, term_count, valid_from, valid_to, superseded_by, recorded_at, closed_at, former_ends,
  slot, updated_at,
  deleted_at, deleted_by, purge_at`;

/** A row of `memories` as PostgreSQL returns it. */
export interface MemoryRow {
  id: string;
  user_id: string;
  category: string;
  type: MemoryType;
  content: string;
  normalized_hash: string;
  state: MemoryState;
  origin: 'extraction' | 'manual';
  importance: number;
  confidence: number;
  pinned: boolean;
  emotional_context: Record<string, unknown> | null;
  significance: Record<string, number> | null;
  relationship_dynamics: Record<string, unknown> | null;
  rationale: string | null;
  provider: string | null;
  model: string | null;
  cost_micro_usd: string;
  quarantine_reason: string | null;
  revision: number;
  term_count: number;
  valid_from: Date;
  valid_to: Date | null;
  superseded_by: string | null;
  recorded_at: Date;
  closed_at: Date | null;
  former_ends: FormerEnd[] | null;
  slot: string | null;
  updated_at: Date;
  deleted_at: Date | null;
  deleted_by: 'user' | 'ttl' | 'undo' | null;
  purge_at: Date | null;
}

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

import { createHmac } from 'node:crypto';
import { encodeCanonicalJson, type JsonValue } from '../text/canonical-json.js';
import type { StoredMemory } from '../writes/types.js';

const STATE_DOMAIN = 'annals.memory-state.v1';

/**
 * HMAC-SHA-256 of a memory as a write leaves it, content and state, 64 hex digits
 * (docs/reference/audit.md#what-is-served-is-compared). Under the installation's chain key, so that nobody who can only
 * write to the database can compute it, and with its history row's own salt, so that it says nothing once the salt is
 * deleted. Left out is what can be recomputed from the content: hash, index length, slot.
 */
export function memoryStateHmac(key: Uint8Array, salt: Uint8Array, memory: StoredMemory): string {
  return createHmac('sha256', key)
    .update(`${STATE_DOMAIN}\n`)
    .update(salt)
    .update(encodeCanonicalJson(toState(memory)), 'utf8')
    .digest('hex');
}

function toState(memory: StoredMemory): JsonValue {
  return {
    id: memory.id,
    content: memory.content,
    category: memory.category,
    type: memory.type,
    state: memory.state,
    origin: memory.origin,
    importance: memory.importance,
    confidence: memory.confidence,
    pinned: memory.pinned,
    emotional_context: toJson(memory.emotionalContext),
    significance: toJson(memory.significance),
    relationship_dynamics: toJson(memory.relationshipDynamics),
    rationale: memory.rationale,
    provider: memory.provider,
    model: memory.model,
    cost_micro_usd: memory.costMicroUsd,
    quarantine_reason: memory.quarantineReason,
    revision: memory.revision,
    valid_from: toInstant(memory.validFrom),
    valid_to: toInstant(memory.validTo),
    superseded_by: memory.supersededBy,
    recorded_at: toInstant(memory.recordedAt),
    closed_at: toInstant(memory.closedAt),
    former_ends: memory.formerEnds.map(({ since, validTo }) => ({ since, valid_to: validTo })),
    deleted_at: toInstant(memory.deletedAt),
    deleted_by: memory.deletedBy,
    purge_at: toInstant(memory.purgeAt),
  };
}

/** As the row's JSON columns return it: without members that are undefined. */
function toJson(value: unknown): JsonValue {
  return value === undefined || value === null ? null : (JSON.parse(JSON.stringify(value)) as JsonValue);
}

const toInstant = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs).toISOString());

import { OWN_IMPORT_SOURCE } from '@annals/contracts';
import { type ImportedStatement, type NewSource, roundConfidence } from '@annals/domain';
import type { MemoryToImport } from './import-input.js';

const UNKNOWN_REASON = 'imported';

interface StatementFacts {
  readonly id: string;
  readonly supersededBy: string | null;
  readonly source: string;
  /** Epoch ms of the newest source; null without any. */
  readonly saidAt: number | null;
  /** Those that are not stored yet. */
  readonly sources: readonly NewSource[];
}

/**
 * What rests on no message was said by nobody here: it is stored like what somebody wrote by hand, with the system that
 * it comes from as its provider.
 */
export function toStatement(
  memory: MemoryToImport,
  { id, supersededBy, source, saidAt, sources }: StatementFacts,
): ImportedStatement {
  const isSaid = memory.origin === 'extraction' && saidAt !== null;
  const isForeign = source !== OWN_IMPORT_SOURCE;
  const recordedAt = Date.parse(memory.recorded_at);
  return {
    id,
    content: memory.content,
    category: memory.category,
    type: memory.type,
    origin: isSaid ? 'extraction' : 'manual',
    importance: memory.importance,
    confidence: roundConfidence(memory.confidence),
    pinned: memory.pinned,
    emotionalContext: memory.emotional_context,
    significance: memory.significance,
    relationshipDynamics: memory.relationship_dynamics,
    rationale: memory.rationale,
    provider: isForeign && !isSaid ? `import:${source}` : memory.provider,
    model: memory.model,
    costMicroUsd: memory.cost_micro_usd,
    quarantineReason: memory.state === 'quarantined' ? (memory.quarantine_reason ?? UNKNOWN_REASON) : null,
    validFrom: Date.parse(memory.valid_from),
    validTo: parseTime(memory.valid_to),
    saidAt: saidAt ?? recordedAt,
    sources,
    recordedAt,
    closedAt: parseTime(memory.closed_at),
    formerEnds: memory.former_ends
      .map(({ since, valid_to: validTo }) => ({ since: Date.parse(since), validTo: parseTime(validTo) }))
      .toSorted((a, b) => a.since - b.since),
    supersededBy,
  };
}

function parseTime(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}

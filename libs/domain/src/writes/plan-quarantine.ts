import { endEarlierRows, findConflicts, findValidityEnd, timeStatement } from './conflicts.js';
import { isCurrent } from './memory-row.js';
import { mergeInto } from './merge-into.js';
import type { ChangeResult, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans the release of a quarantined memory that an admin confirmed (docs/reference/extraction.md#quarantine): it is
 * ordered in time like any statement, or merged into an existing row with the same meaning.
 */
export function planRelease(set: WorkingSet, memoryId: string): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (memory.state !== 'quarantined') return { outcome: 'not_quarantined', memoryId };
  const duplicate = set.withHash(memory.hash).find(isCurrent);
  return duplicate ? releaseIntoDuplicate(set, memory, duplicate) : releaseInTime(set, memory);
}

function releaseInTime(set: WorkingSet, memory: StoredMemory): ChangeResult {
  const statement = timeStatement({ ...memory, saidAt: lastSaid(set, memory) });
  const conflicts = findConflicts(set, statement);
  const validityEnd = findValidityEnd(set, statement, conflicts);
  const released = set.update(memory, {
    ...SERVED,
    ...(validityEnd ? { ...validityEnd, closedAt: set.now } : {}),
  });
  set.release(released);
  set.record(released, 'RESTORE', { meta: { reason: 'released' } });
  set.logChange(released, 'created');
  endEarlierRows(set, released, statement, conflicts);
  return { outcome: 'released', memoryId: memory.id };
}

function releaseIntoDuplicate(set: WorkingSet, memory: StoredMemory, duplicate: StoredMemory): ChangeResult {
  const closed = set.close({ ...memory, ...SERVED }, duplicate.id, set.now);
  set.release(closed);
  set.record(closed, 'MERGE', { oldRef: memory.id, newRef: duplicate.id, meta: { reason: 'released' } });
  set.copySources(memory.id, duplicate.id);
  mergeInto(set, duplicate, { ...memory, quarantineReason: null, sources: [], saidAt: lastSaid(set, memory) });
  set.logNewEvidence(duplicate);
  return { outcome: 'merged', memoryId: duplicate.id };
}

/** Plans the deletion of a quarantined memory, so that the same content is not quarantined again. */
export function planRejection(set: WorkingSet, memoryId: string): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (memory.state !== 'quarantined') return { outcome: 'not_quarantined', memoryId };
  const rejected = set.update(memory, {
    state: 'soft_deleted',
    deletedAt: set.now,
    deletedBy: 'user',
    purgeAt: set.purgeAt,
  });
  set.record(rejected, 'DELETE', { meta: { reason: 'rejected' } });
  return { outcome: 'deleted', memoryId };
}

const SERVED = { state: 'active', quarantineReason: null } as const;

function lastSaid(set: WorkingSet, memory: StoredMemory): number {
  return set.saidTimes(memory.id).at(-1) ?? memory.validFrom;
}

import { closeRow } from './close-row.js';
import { mergeInto } from './merge-into.js';
import { endEarlier, findPlace } from './place-in-time.js';
import { findRivals, timeStatement } from './rivals.js';
import type { ChangeResult, StoredMemory } from './types.js';
import { isCurrent } from './index-statistics.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans that a memory which was held back is served, since an admin vouches for it (decision 26): it takes its place in
 * time like any statement, or is merged into the row that says the same already.
 */
export function planRelease(set: WorkingSet, memoryId: string): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  if (memory.state !== 'quarantined') return { outcome: 'not_quarantined', memoryId };
  const twin = set.withHash(memory.hash).find(isCurrent);
  return twin ? releaseIntoTwin(set, memory, twin) : releaseInTime(set, memory);
}

function releaseInTime(set: WorkingSet, memory: StoredMemory): ChangeResult {
  const statement = timeStatement({ ...memory, saidAt: lastSaid(set, memory) });
  const rivals = findRivals(set, statement);
  const place = findPlace(set, statement, rivals);
  const released = set.update(memory, {
    ...SERVED,
    ...(place ? { ...place, closedAt: set.now } : {}),
  });
  set.release(released);
  set.record(released, 'RESTORE', { meta: { reason: 'released' } });
  set.announce(released, 'created');
  endEarlier(set, released, statement, rivals);
  return { outcome: 'released', memoryId: memory.id };
}

function releaseIntoTwin(set: WorkingSet, memory: StoredMemory, twin: StoredMemory): ChangeResult {
  const closed = closeRow(set, { ...memory, ...SERVED }, twin.id, set.now);
  set.release(closed);
  set.record(closed, 'MERGE', { oldRef: memory.id, newRef: twin.id, meta: { reason: 'released' } });
  set.copySources(memory.id, twin.id);
  mergeInto(set, twin, { ...memory, quarantineReason: null, sources: [], saidAt: lastSaid(set, memory) });
  set.announceEvidence(twin);
  return { outcome: 'merged', memoryId: twin.id };
}

/** Plans that a memory which was held back is deleted, so that the same words are not held back again. */
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

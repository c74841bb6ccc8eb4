import { hashContent } from '../hash/index.js';
import { decideDuplicate } from '../merge/index.js';
import { mergeInto } from './merge-into.js';
import type { ChangeResult, NewMemory, StoredMemory } from './types.js';
import { isCurrent, type WorkingSet } from './working-set.js';

/** Plans what a statement that was made does to the rows that say the same (decision 16). */
export function planObservation(set: WorkingSet, memory: NewMemory): ChangeResult {
  const alike = set.withHash(hashContent(memory.content));
  const current = alike.find(isCurrent);
  if (memory.quarantineReason !== null) return planQuarantine(set, memory, alike, current);
  if (current) return mergeInto(set, current, memory);
  const refusal = findRefusal(alike, memory);
  if (refusal) return refuse(set, refusal, memory);
  const expired = alike.find(isRevivable);
  if (expired) return revive(set, expired, memory);
  const inserted = set.insert(memory);
  set.record(inserted, 'ADD');
  set.announce(inserted, 'created', memory.threadId);
  return { outcome: 'inserted', memoryId: inserted.id };
}

/** A statement whose evidence did not hold is kept once and never served; it takes nothing from a row that holds. */
function planQuarantine(
  set: WorkingSet,
  memory: NewMemory,
  alike: readonly StoredMemory[],
  current: StoredMemory | undefined,
): ChangeResult {
  const known = current ?? alike.find((row) => row.state === 'quarantined');
  if (known) return { outcome: 'unchanged', memoryId: known.id };
  const inserted = set.insert(memory);
  set.record(inserted, 'QUARANTINE', { meta: { reason: memory.quarantineReason } });
  return { outcome: 'quarantined', memoryId: inserted.id };
}

/**
 * A row that speaks against remembering the statement anew: one the user deleted after it was said, or one that was
 * true when it was said and has ended since (decisions 16, 18). What a person writes by hand is not refused.
 */
function findRefusal(alike: readonly StoredMemory[], memory: NewMemory): StoredMemory | undefined {
  if (memory.origin === 'manual') return undefined;
  return alike.find(
    (row) =>
      (row.deletedBy === 'user' && row.deletedAt !== null && memory.saidAt <= row.deletedAt) ||
      (row.state === 'active' && row.validTo !== null && memory.validFrom <= row.validTo),
  );
}

function refuse(set: WorkingSet, row: StoredMemory, memory: NewMemory): ChangeResult {
  if (row.deletedBy === 'user') return { outcome: 'suppressed', memoryId: row.id };
  set.addSources(row.id, memory.sources);
  return { outcome: 'unchanged', memoryId: row.id };
}

/** What was held back before time removed it was never indexed, and its evidence did not hold. */
function isRevivable(row: StoredMemory): boolean {
  const { state, deletedBy, validTo, quarantineReason } = row;
  return state === 'soft_deleted' && deletedBy === 'ttl' && validTo === null && quarantineReason === null;
}

/** What only time removed comes back when it is said again. */
function revive(set: WorkingSet, expired: StoredMemory, memory: NewMemory): ChangeResult {
  set.addSources(expired.id, memory.sources);
  const decision = decideDuplicate(expired, memory);
  const revived = set.update(expired, {
    ...('fields' in decision ? decision.fields : {}),
    state: 'active',
    deletedAt: null,
    deletedBy: null,
    purgeAt: null,
  });
  set.record(revived, 'RESTORE', { meta: { reason: 'said_again' } });
  set.announce(revived, 'restored', memory.threadId);
  return { outcome: 'updated', memoryId: revived.id };
}

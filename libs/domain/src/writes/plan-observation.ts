import { hashContent } from '../hash/content-hash.js';
import { extractSlot } from '../meaning/extract-slot.js';
import { decideDuplicate } from '../merge/decide-duplicate.js';
import {
  type ConflictingMemory,
  endEarlierRows,
  findConflicts,
  findValidityEnd,
  type TimedStatement,
  timeStatement,
} from './conflicts.js';
import { enterPast } from './enter-past.js';
import { isCurrent, wasDeletedSince } from './memory-row.js';
import { addEvidence, mergeInto } from './merge-into.js';
import { returnToFormer } from './return-to-former.js';
import type { ChangeResult, NewMemory, StatementMatches, StoredMemory } from './types.js';
import type { WorkingSet } from './working-set.js';

/** See docs/reference/writes.md#duplicate-decision and docs/reference/truth-and-time.md#the-later-statement-wins. */
export function planObservation(set: WorkingSet, observed: NewMemory, matches?: StatementMatches): ChangeResult {
  const returned = returnToFormer(set, observed);
  if (returned) return returned;
  const memory = enterPast(observed);
  const alike = set.withHash(hashContent(memory.content));
  if (memory.quarantineReason !== null) return planQuarantine(set, memory, alike);
  const statement = timeStatement(memory);
  const conflicts = findConflicts(set, statement, matches);
  const known =
    findKnown(alike, statement, conflicts) ??
    findMatchedDuplicate(set, matches) ??
    findSameWorkflow(set, memory, statement);
  if (known) return mergeIntoKnown(set, known, memory, statement, conflicts);
  const suppressor = alike.find((row) => suppressesStatement(row, memory));
  if (suppressor) return { outcome: 'suppressed', memoryId: suppressor.id };
  const expired = alike.find(isExpired);
  if (expired && conflicts.length === 0) return restoreExpired(set, expired, memory);
  return insertInTime(set, memory, statement, conflicts);
}

/**
 * The row with the same content that the statement is evidence of: one that held when the statement was made, or else
 * the next one after it, unless the contrary was stated between the two.
 */
function findKnown(
  alike: readonly StoredMemory[],
  { assertedAt, begins }: TimedStatement,
  conflicts: readonly ConflictingMemory[],
): StoredMemory | undefined {
  const active = alike.filter(({ state }) => state === 'active').toSorted((a, b) => a.validFrom - b.validFrom);
  const held = active.findLast(
    ({ validFrom, validTo }) => validFrom <= assertedAt && (validTo === null || begins <= validTo),
  );
  if (held) return held;
  const next = active.find(({ validFrom }) => validFrom > assertedAt);
  if (!next) return undefined;
  const isCutOff = conflicts.some(({ after }) => after.some((at) => at < next.validFrom));
  return isCutOff ? undefined : next;
}

function findMatchedDuplicate(set: WorkingSet, matches?: StatementMatches): StoredMemory | undefined {
  const row = matches?.sameAs && set.find(matches.sameAs.memoryId);
  return row && isCurrent(row) ? row : undefined;
}

/** The same steps under a title with the same words, or with other tags, are the same workflow. */
function findSameWorkflow(set: WorkingSet, { type }: NewMemory, { slot }: TimedStatement): StoredMemory | undefined {
  if (type !== 'procedural' || slot === null) return undefined;
  return set
    .activeRows()
    .find((row) => isCurrent(row) && row.slot === slot.key && extractSlot(row)?.parts['steps'] === slot.parts['steps']);
}

/** A statement from before the row begins moves its beginning. */
function mergeIntoKnown(
  set: WorkingSet,
  row: StoredMemory,
  memory: NewMemory,
  statement: TimedStatement,
  conflicts: readonly ConflictingMemory[],
): ChangeResult {
  if (statement.begins >= row.validFrom) {
    return isCurrent(row) || memory.origin === 'manual' ? mergeInto(set, row, memory) : addEvidence(set, row, memory);
  }
  addEvidence(set, row, memory);
  const begun = set.update(row, { validFrom: statement.begins });
  set.record(begun, 'UPDATE', { meta: { reason: 'said_before' } });
  set.logChange(begun, 'updated', memory.threadId);
  endEarlierRows(set, begun, statement, conflicts, 'ended_earlier');
  return { outcome: 'updated', memoryId: row.id };
}

function insertInTime(
  set: WorkingSet,
  memory: NewMemory,
  statement: TimedStatement,
  conflicts: readonly ConflictingMemory[],
): ChangeResult {
  const validityEnd = findValidityEnd(set, statement, conflicts);
  const ends = validityEnd && (memory.validTo === null || validityEnd.validTo < memory.validTo) ? validityEnd : null;
  const row = ends ? set.insert({ ...memory, validTo: ends.validTo }, ends.supersededBy) : set.insert(memory);
  const ended = endEarlierRows(set, row, statement, conflicts);
  const isLatest = ends === null;
  set.record(row, 'ADD', {
    ...(ended[0] ? { oldRef: ended[0].id } : {}),
    ...(ends ? { newRef: ends.supersededBy, meta: { reason: 'ended_before' } } : {}),
    ...(isLatest && ended.length > 0 ? { meta: { reason: 'supersedes' } } : {}),
  });
  const [replaced] = isLatest ? ended : [];
  set.logChange(row, replaced ? 'updated' : 'created', memory.threadId, replaced ? { replaces: replaced.id } : {});
  const outcome = !isLatest ? 'inserted_ended' : ended.length > 0 ? 'superseded' : 'inserted';
  return { outcome, memoryId: row.id };
}

/** A statement that is not grounded is stored once and never served; it does not change a row that is served. */
function planQuarantine(set: WorkingSet, memory: NewMemory, alike: readonly StoredMemory[]): ChangeResult {
  const known = alike.find(isCurrent) ?? alike.find((row) => row.state === 'quarantined');
  if (known) return { outcome: 'unchanged', memoryId: known.id };
  const suppressor = alike.find((row) => suppressesStatement(row, memory));
  if (suppressor) return { outcome: 'suppressed', memoryId: suppressor.id };
  const inserted = set.insert(memory);
  set.record(inserted, 'QUARANTINE', { meta: { reason: memory.quarantineReason } });
  return { outcome: 'quarantined', memoryId: inserted.id };
}

/** What a user deleted, messages do not restore (docs/reference/writes.md#deleted-by-the-user-stays-deleted). */
function suppressesStatement(row: StoredMemory, memory: NewMemory): boolean {
  return memory.origin !== 'manual' && wasDeletedSince(row, memory.saidAt);
}

/** A memory that was quarantined before it expired was never indexed, and its evidence was not confirmed. */
function isExpired(row: StoredMemory): boolean {
  const { state, deletedBy, validTo, quarantineReason } = row;
  return (
    state === 'soft_deleted' &&
    (deletedBy === 'ttl' || deletedBy === 'eviction') &&
    validTo === null &&
    quarantineReason === null
  );
}

/** A memory that only expired, or was evicted, is restored when it is stated again. */
function restoreExpired(set: WorkingSet, expired: StoredMemory, memory: NewMemory): ChangeResult {
  set.addSources(expired.id, memory);
  const decision = decideDuplicate(expired, memory);
  const revived = set.update(expired, {
    ...('fields' in decision ? decision.fields : {}),
    state: 'active',
    deletedAt: null,
    deletedBy: null,
    purgeAt: null,
  });
  set.record(revived, 'RESTORE', { meta: { reason: 'said_again' } });
  set.logChange(revived, 'restored', memory.threadId);
  return { outcome: 'updated', memoryId: revived.id };
}

import { analyzeMemory } from '../lexical/analyze-unit.js';
import type { UnitTerms } from '../lexical/types.js';
import { changeValidTo, computeStatisticsDelta, copyRow, createRow, isCurrent } from './memory-row.js';
import { collectPreviousValues } from './previous-values.js';
import type {
  ChangeDraft,
  ChangeResult,
  HistoryDraft,
  ImportedStatement,
  LastWrite,
  NewMemory,
  NewSource,
  PlanContext,
  StoredMemory,
  WritePlan,
} from './types.js';

/** How long a deleted memory can be restored before it is purged (docs/reference/lifecycle.md#purge-after-30-days). */
const PURGE_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

/** Headers are rendered from the change log alone (docs/reference/delta-header.md#stable-bytes). */
export interface ChangeLinks {
  readonly replaces?: string;
  readonly mergedInto?: string;
  readonly formerCategory?: string;
}

/** The user's rows after the changes planned so far, and the writes that lead there. */
export class WorkingSet {
  private readonly rows = new Map<string, StoredMemory>();
  private readonly before = new Map<string, StoredMemory>();
  /** Rows before updates that no history row records yet. */
  private readonly unrecorded = new Map<string, StoredMemory>();
  private readonly saidTimesOfPlan = new Map<string, number[]>();
  private readonly insertedIds = new Set<string>();
  /** Which stored memories stand for imported ones that say the same. */
  private readonly standIns = new Map<string, string>();
  private readonly changedIds = new Set<string>();
  private readonly purgedIds = new Set<string>();
  private readonly terms = new Map<string, UnitTerms>();
  private readonly sources: (NewSource & { memoryId: string })[] = [];
  private readonly sourceCopies: { fromId: string; toId: string }[] = [];
  private readonly copies: { fromId: string; toId: string }[] = [];
  private readonly toEmbedIds = new Set<string>();
  private readonly links: WritePlan['links'][number][] = [];
  private readonly history: HistoryDraft[] = [];
  private readonly changes: ChangeDraft[] = [];

  constructor(
    stored: readonly StoredMemory[],
    private readonly context: PlanContext,
  ) {
    for (const memory of stored) {
      this.rows.set(memory.id, memory);
      this.before.set(memory.id, memory);
    }
  }

  get now(): number {
    return this.context.now;
  }

  /** When a memory that is deleted now is purged, in epoch ms. */
  get purgeAt(): number {
    return this.now + (this.context.purgeAfterMs ?? PURGE_AFTER_MS);
  }

  find(id: string): StoredMemory | undefined {
    return this.rows.get(this.standIns.get(id) ?? id);
  }

  /** All rows of one hash, in the order in which they were recorded. */
  withHash(hash: string): StoredMemory[] {
    return [...this.rows.values()]
      .filter((memory) => memory.hash === hash)
      .toSorted((a, b) => a.recordedAt - b.recordedAt);
  }

  activeRows(): StoredMemory[] {
    return [...this.rows.values()].filter(({ state }) => state === 'active');
  }

  /** The rows that were merged into a row, and into these, directly or not. */
  mergedInto(id: string): StoredMemory[] {
    const merged = [...this.rows.values()].filter((row) => this.context.mergedIds?.has(row.id) === true);
    const found = new Set<StoredMemory>();
    const follow = (successorId: string): void => {
      for (const row of merged) {
        if (row.supersededBy !== successorId || row.id === id || found.has(row)) continue;
        found.add(row);
        follow(row.id);
      }
    };
    follow(id);
    return [...found];
  }

  /** Times of a row's sources, oldest first. */
  saidTimes(id: string): readonly number[] {
    const stored = this.context.saidTimes?.get(id) ?? [];
    return [...stored, ...(this.saidTimesOfPlan.get(id) ?? [])].toSorted((a, b) => a - b);
  }

  lastWrite(id: string): LastWrite | undefined {
    return this.context.lastWrites?.get(id);
  }

  storedRevision(id: string): number | undefined {
    return this.before.get(id)?.revision;
  }

  /** Whether two memories may get a relation: one is new, or relations of the first were loaded and are with others. */
  canLink(fromId: string, toId: string): boolean {
    if (this.insertedIds.has(fromId) || this.insertedIds.has(toId)) return true;
    const linkedIds = this.context.linkedIds?.get(fromId);
    return linkedIds !== undefined && !linkedIds.has(toId);
  }

  isServed(id: string): boolean {
    const memory = this.rows.get(id);
    return memory !== undefined && isCurrent(memory);
  }

  insert(memory: NewMemory, supersededBy: string | null = null): StoredMemory {
    const terms = analyzeMemory({ ...memory, speaker: null });
    const row = createRow(memory, { id: this.context.nextId(), now: this.now, termCount: terms.length, supersededBy });
    return this.add(row, memory, terms);
  }

  /** The same for a memory that was known elsewhere: it keeps its id and times. An end that begins here is known since now. */
  insertImported(memory: ImportedStatement, supersededBy: string | null): StoredMemory {
    const terms = analyzeMemory({ ...memory, speaker: null });
    const { id, recordedAt, formerEnds } = memory;
    const row = createRow(memory, { id, now: recordedAt, termCount: terms.length, supersededBy });
    const closedAt = memory.validTo === null ? null : (memory.closedAt ?? this.now);
    return this.add({ ...row, closedAt, formerEnds }, memory, terms);
  }

  private add(row: StoredMemory, memory: NewMemory, terms: UnitTerms): StoredMemory {
    this.rows.set(row.id, row);
    this.insertedIds.add(row.id);
    if (row.state !== 'quarantined') {
      this.terms.set(row.id, terms);
      this.toEmbedIds.add(row.id);
    }
    this.addSources(row.id, memory);
    return row;
  }

  /** From now on `find` returns the stored memory for the imported one. */
  standIn(importedId: string, storedId: string): void {
    this.standIns.set(importedId, storedId);
  }

  /** Adds a copy of a row that begins at `validFrom` and ends where the original ends. */
  copy(memory: StoredMemory, validFrom: number): StoredMemory {
    const row = copyRow(memory, { id: this.context.nextId(), now: this.now, validFrom });
    this.rows.set(row.id, row);
    this.insertedIds.add(row.id);
    this.terms.set(row.id, analyzeMemory({ ...row, speaker: null }));
    this.copies.push({ fromId: memory.id, toId: row.id });
    this.copySources(memory.id, row.id);
    this.saidTimesOfPlan.set(row.id, [...this.saidTimes(memory.id)]);
    return row;
  }

  /** A new row with the content of another one has its vectors. */
  shareVectors(fromId: string, toId: string): void {
    this.toEmbedIds.delete(toId);
    this.copies.push({ fromId, toId });
  }

  /** Makes a quarantined row searchable. */
  release(row: StoredMemory): void {
    this.index(row);
    this.toEmbedIds.add(row.id);
  }

  private index(row: StoredMemory): void {
    this.terms.set(row.id, analyzeMemory({ ...row, speaker: null }));
  }

  /** Changes fields of a row and raises its revision. A history row must record it. */
  update(memory: StoredMemory, fields: Partial<StoredMemory>): StoredMemory {
    if (!this.unrecorded.has(memory.id)) this.unrecorded.set(memory.id, this.rows.get(memory.id)!);
    const changed = { ...memory, ...fields, revision: memory.revision + 1 };
    this.rows.set(memory.id, changed);
    this.changedIds.add(memory.id);
    return changed;
  }

  /**
   * Ends a row's validity; it never ends before it began. A row whose end is in the future is still served until then,
   * beside its successor.
   */
  close(row: StoredMemory, successorId: string, at: number): StoredMemory {
    const end = changeValidTo(row, Math.max(at, row.validFrom), this.now);
    return this.update(row, { ...end, supersededBy: successorId });
  }

  /** Removes a row: later changes of the plan do not find it. */
  purge(memory: StoredMemory): void {
    this.rows.delete(memory.id);
    this.changedIds.delete(memory.id);
    this.purgedIds.add(memory.id);
  }

  addSources(memoryId: string, { sources, saidAt }: Pick<NewMemory, 'sources' | 'saidAt'>): void {
    for (const source of sources) this.sources.push({ ...source, memoryId });
    if (sources.length > 0) this.saidTimesOfPlan.set(memoryId, [...(this.saidTimesOfPlan.get(memoryId) ?? []), saidAt]);
  }

  copySources(fromId: string, toId: string): void {
    this.sourceCopies.push({ fromId, toId });
  }

  link(link: WritePlan['links'][number]): void {
    this.links.push(link);
    const from = this.rows.get(link.fromId)!;
    this.record(from, 'LINK', {
      newRef: link.toId,
      meta: { relation_type: link.relationType, strength: link.strength },
    });
  }

  /** Writes one row of the audit history, with the previous values of updated fields, so that it can be undone. */
  record(
    memory: StoredMemory,
    event: HistoryDraft['event'],
    details: { oldRef?: string; newRef?: string; meta?: HistoryDraft['meta'] } = {},
  ): void {
    const before = this.unrecorded.get(memory.id);
    this.unrecorded.delete(memory.id);
    this.history.push({
      memoryId: memory.id,
      event,
      oldRef: details.oldRef ?? null,
      newRef: details.newRef ?? null,
      content: memory.content,
      meta: { ...(before ? { from: collectPreviousValues(before, memory) } : {}), ...details.meta },
    });
  }

  /** Marks the history rows of one change as written together: an undo of one of them undoes all. */
  inOneChange<T>(plan: () => T): T {
    const start = this.history.length;
    const result = plan();
    const written = this.history.slice(start);
    const ids = [...new Set(written.map(({ memoryId }) => memoryId))];
    if (ids.length === 1) return result;
    const marked = written.map((draft) => ({
      ...draft,
      meta: { ...draft.meta, with: ids.filter((id) => id !== draft.memoryId) },
    }));
    this.history.splice(start, marked.length, ...marked);
    return result;
  }

  logChange(
    memory: StoredMemory,
    event: ChangeDraft['event'],
    threadId?: string,
    links: ChangeLinks = {},
    reach: ChangeDraft['reach'] = 'all',
  ): void {
    this.changes.push({
      memoryId: memory.id,
      event,
      category: memory.category,
      threadId: threadId ?? null,
      reach,
      meta: { importance: memory.importance, ...links },
    });
  }

  /** Adds a change to the threads in which the memory is new. */
  logNewEvidence(memory: StoredMemory): void {
    this.logChange(memory, 'updated', undefined, {}, 'new_threads');
  }

  toPlan(results: readonly ChangeResult[]): WritePlan {
    const inserts = [...this.insertedIds].map((id) => this.rows.get(id)!);
    const updates = [...this.changedIds].filter((id) => !this.insertedIds.has(id)).map((id) => this.rows.get(id)!);
    const replaced = updates.map((memory) => this.before.get(memory.id)!);
    const unindexed: string[] = [];
    for (const [index, memory] of updates.entries()) {
      const before = replaced[index]!;
      if (isUndone(memory) && !isUndone(before)) unindexed.push(memory.id);
      // An undo may have taken it out of the index.
      if (before.state === 'soft_deleted' && memory.state === 'active') this.index(memory);
    }
    return {
      inserts,
      updates,
      purges: [...this.purgedIds],
      sources: this.sources,
      sourceCopies: this.sourceCopies,
      links: this.links,
      history: this.history,
      changes: this.changes,
      results,
      terms: this.terms,
      unindexed,
      copies: this.copies,
      toEmbed: [...this.toEmbedIds].flatMap((id) => this.rows.get(id) ?? []),
      statistics: computeStatisticsDelta([...inserts, ...updates], replaced),
    };
  }
}

function isUndone({ state, deletedBy }: StoredMemory): boolean {
  return state === 'soft_deleted' && deletedBy === 'undo';
}

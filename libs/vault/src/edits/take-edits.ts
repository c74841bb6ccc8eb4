import {
  type ChangeResult,
  type Clock,
  type EditChange,
  readFileId,
  slugOf,
  type VaultMemory,
  vaultPathOf,
} from '@annals/domain';
import { allOf, findPurgedMemories, readVaultMemories, type Tx } from '@annals/storage';
import { GitError } from '../git/git-error.js';
import { gitPath, isThere } from '../git/git-folder.js';
import type { VaultRepository } from '../git/repository.js';
import { type EditNotes, followEdits, tidyNotes } from '../projection/edit-notes.js';
import type { VaultIndex } from '../projection/vault-index.js';
import { AUTHOR_LINE } from '../projection/write-vault.js';
import { type Candidate, type ClassifiedEdits, classifyEdits } from './candidates.js';
import { findEdits, type ForeignFile } from './find-edits.js';
import { writeNotTaken } from './not-taken.js';
import { type CandidatePlan, type EditFault, type EditRules, planCandidate } from './plan-candidate.js';

/** Edits of one transaction. */
const PAGE_EDITS = 100;

/** What a run took over, by what it did, and what it did not. */
export interface EditCounts {
  changed: number;
  added: number;
  deleted: number;
  restored: number;
  /** Kept beside the file of its memory, or left where it is. */
  refused: number;
  /** Written again as the database has it: what was moved or reformatted, messages and summaries. */
  returned: number;
  /** Deletions that were too many at once to be meant. */
  withheld: number;
}

export interface EditRun {
  readonly folder: string;
  readonly userId: string;
  readonly index: VaultIndex;
  /** Null: without a Git history. */
  readonly repository: VaultRepository | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Waits until who is writing has probably finished. */
  readonly settle: () => Promise<void>;
  /** Asked for when there is something to take over. */
  readonly loadRules: () => Promise<EditRules>;
  /** A transaction under the lock of the user, which is undone when another worker has the user. */
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Makes changes in such a transaction; results in their order. */
  readonly apply: (tx: Tx, changes: readonly EditChange['change'][]) => Promise<readonly ChangeResult[]>;
}

export interface TakenEdits extends Readonly<EditCounts> {
  /** Somebody is still writing, or there is more: another run is to look again. */
  readonly isChanging: boolean;
}

/**
 * Makes changes of memories of what people did to the files of a user since the last run, a hundred in a transaction. What
 * cannot be taken over is left for the projection, which keeps it beside the file (docs/reference/vault.md#what-people-write). Repeated
 * behind a killed run, it takes over the rest: of what was done, nothing is left to do.
 * @throws VaultUnavailableError, and GitError `locked` while another program changes the repository
 */
export async function takeEdits(run: EditRun): Promise<TakenEdits> {
  return new EditTaking(run).take();
}

class EditTaking {
  private readonly counts: EditCounts = {
    changed: 0,
    added: 0,
    deleted: 0,
    restored: 0,
    refused: 0,
    returned: 0,
    withheld: 0,
  };
  private hasPostponed = false;
  /** By the names of their folders. */
  private threads: Map<string, string> | undefined;

  constructor(private readonly run: EditRun) {}

  async take(): Promise<TakenEdits> {
    const { folder, index, repository, settle, clock } = this.run;
    const before = await repository?.state();
    // What is in the folder is another branch, or a merge that is not finished.
    if (before?.isBusy) return { ...this.counts, isChanging: false };
    const committed = index.chain === null && repository ? await repository.ownHeadFiles(AUTHOR_LINE) : NOTHING;
    const found = await findEdits({ folder, index, committed, settle });
    const { edits } = index;
    tidyNotes(edits, found.paths, clock.now());
    const isDeletion = found.missing.length === 0 || (await this.hasFollowed());
    const classified = classifyEdits(found, index, { isDeletion });
    const { candidates, returned, left } = classified;
    if (candidates.length + returned.length > 0) await this.requireQuiet(before?.head ?? null);
    this.counts.withheld = classified.withheld;
    for (const item of returned) this.putBack(item);
    for (const file of [...left, ...found.unrelated]) this.leave(file, null);
    if (candidates.length > 0) await this.takeCandidates(candidates, found.paths);
    await writeNotTaken(folder, edits.others);
    // What cannot be said now is not asked for again at once.
    return { ...this.counts, isChanging: found.isChanging && !this.hasPostponed };
  }

  /** Whether a file that is missing was deleted: not if nobody took deletions over before, or the history went back. */
  private async hasFollowed(): Promise<boolean> {
    const { repository, index } = this.run;
    const { isFollowed, head } = index.edits;
    return isFollowed && (repository === null || head === null || (await repository.contains(head)));
  }

  /** A checkout removes files before it writes them, and moves the branch at its end. */
  private async requireQuiet(head: string | null): Promise<void> {
    const { repository, folder } = this.run;
    if (repository === null) return;
    const [isLocked, state] = await Promise.all([isThere(gitPath(folder, 'index.lock')), repository.state()]);
    if (isLocked || state.isBusy || state.head !== head)
      throw new GitError('locked', 'Another program is changing the repository: edits are taken over behind it.');
  }

  private async takeCandidates(candidates: readonly Candidate[], paths: ReadonlySet<string>): Promise<void> {
    const rules = await this.run.loadRules();
    for (let start = 0; start < candidates.length; start += PAGE_EDITS) {
      this.run.signal.throwIfAborted();
      await this.takePage(candidates.slice(start, start + PAGE_EDITS), rules, paths);
      // What is done is not done again when the rest fails.
      await this.run.index.saveEdits();
    }
  }

  private async takePage(page: readonly Candidate[], rules: EditRules, paths: ReadonlySet<string>): Promise<void> {
    const { userId, transact, apply, clock, index } = this.run;
    const done = await transact(async (tx) => {
      const { memories, purged } = await readMemories(tx, userId, page, index.edits);
      const context = {
        now: clock.now(),
        rules,
        notes: index.edits,
        memories,
        purged,
        isInPlace: (memory: VaultMemory, path: string) => {
          const place = vaultPathOf(memory);
          return index.find(memory.id) !== undefined || (place !== path && paths.has(place));
        },
        threadOf: (path: string) => this.threadOf(path),
      };
      const plans = page.map((candidate) => planCandidate(candidate, context));
      const changes = plans.flatMap((plan) => (plan.kind === 'change' ? [plan.change] : []));
      const results = changes.length === 0 ? [] : [...(await apply(tx, changes))];
      return plans.map((plan) => ({ plan, result: plan.kind === 'change' ? results.shift()! : null }));
    });
    for (const [at, { plan, result }] of done.entries()) this.note(page[at]!, plan, result);
  }

  /** The conversation in whose folder a file is. */
  private threadOf(path: string): string | null {
    const folder = path.split('/')[1]!;
    this.threads ??= new Map(
      Object.values(this.run.index.conversations).map(({ threadId }) => [slugOf(threadId), threadId]),
    );
    return this.threads.get(folder) ?? null;
  }

  /** What the projection, which comes next, and later runs have to know. */
  private note(candidate: Candidate, plan: CandidatePlan, result: ChangeResult | null): void {
    if (plan.kind === 'refused') this.refuse(candidate, plan.reason, plan.problems);
    else if (plan.kind === 'superfluous') this.adopt(candidate);
    else if (plan.kind === 'same') {
      if (candidate.kind === 'add') return this.leave(candidate.file!, candidate.id);
      this.counts.returned += 1;
      this.adopt(candidate);
    } else if (plan.kind === 'postponed') this.hasPostponed = true;
    else this.noteChange(candidate, plan, result!);
  }

  private noteChange(candidate: Candidate, { change, isWhole }: EditChange, result: ChangeResult): void {
    if (!TAKEN.has(result.outcome)) return this.refuse(candidate, 'not_applied', []);
    const { edits } = this.run.index;
    const { memoryId } = result;
    const now = this.run.clock.now();
    this.counts[COUNTED[change.kind as keyof typeof COUNTED]] += 1;
    if (change.kind === 'supersede' && result.outcome === 'superseded') edits.followers[change.memoryId] = memoryId;
    if (change.kind === 'delete') edits.deletions[change.memoryId] = now;
    if (change.kind === 'restore') delete edits.deletions[change.memoryId];
    if (change.kind === 'observe' && result.outcome === 'inserted')
      edits.became[candidate.file!.path] = { id: memoryId, at: now };
    if (isWhole) this.adopt(candidate);
    else this.keep(candidate, memoryId);
  }

  /** The database has what is in the file: it may be replaced. */
  private adopt({ file, id, item }: Candidate): void {
    const { index } = this.run;
    if (item && file?.path === item.path) return index.adopt(id!, file);
    if (id !== null) index.markStale(id);
    if (file !== null) this.finish(file);
    // Should a run that was killed have it missing again, it is not deleted a second time.
    else if (item) item.stamp = null;
  }

  private refuse(candidate: Candidate, reason: EditFault, problems: readonly string[]): void {
    const { file, id, kind } = candidate;
    this.counts.refused += 1;
    const isKnown = id !== null && this.run.index.find(id) !== undefined;
    if (kind !== 'add') this.keep(candidate, id!);
    else if (reason === 'not_current' && isKnown) this.finish(file!, id);
    else this.leave(file!, id, reason, problems);
  }

  /** Kept beside the file of a memory. In the place of the same memory, the projection finds it by itself. */
  private keep({ file, id, item }: Candidate, memoryId: string): void {
    const isInPlace = item !== undefined && file?.path === item.path;
    if (id !== null) this.run.index.markStale(id);
    if (file === null || (isInPlace && memoryId === id)) return;
    if (file.blob === item?.blob) this.finish(file);
    else this.finish(file, item && !isInPlace ? id! : memoryId);
  }

  private putBack({ id, file, item }: ClassifiedEdits['returned'][number]): void {
    this.counts.returned += 1;
    this.keep({ kind: 'edit', file, id, item }, id);
  }

  /** To be removed by the projection. `keptFor`: beside the file of this memory, it stays. */
  private finish({ path, stamp, blob }: ForeignFile, keptFor?: string): void {
    const kept = keptFor === undefined ? {} : { keptFor };
    this.run.index.edits.others[path] = { stamp, blob, isTaken: true, ...kept, problems: [] };
  }

  /** Left as it is, until it is changed again. */
  private leave(
    { path, stamp, blob }: ForeignFile,
    id: string | null,
    reason?: EditFault,
    problems: readonly string[] = [],
  ): void {
    const known = { ...(id === null ? {} : { id }), ...(reason === undefined ? {} : { reason }) };
    this.run.index.edits.others[path] = { stamp, blob, ...known, problems: [...problems] };
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Memories that files are of, what was made of them by edits, and what replaced them. */
async function readMemories(tx: Tx, userId: string, page: readonly Candidate[], notes: EditNotes) {
  const named = page.flatMap(({ id, file }) => {
    const became = file === null ? undefined : notes.became[file.path]?.id;
    return [id, file && readFileId(file.text), became].filter((each) => typeof each === 'string' && IS_ID.test(each));
  }) as string[];
  const ids = [...new Set([...named, ...named.map((id) => followEdits(notes, id))])];
  const memories = await readVaultMemories(tx, userId, ids);
  const successors = memories.flatMap(({ replacedBy }) => (replacedBy === null ? [] : [replacedBy]));
  const there = new Set(memories.map(({ id }) => id));
  const [others, purged] = await allOf([
    readVaultMemories(tx, userId, successors),
    findPurgedMemories(
      tx,
      userId,
      ids.filter((id) => !there.has(id)),
    ),
  ]);
  return { memories: new Map([...memories, ...others].map((memory) => [memory.id, memory])), purged };
}

const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const COUNTED = {
  edit: 'changed',
  supersede: 'changed',
  observe: 'added',
  delete: 'deleted',
  restore: 'restored',
} as const;
const TAKEN: ReadonlySet<ChangeResult['outcome']> = new Set([
  'inserted',
  'inserted_ended',
  'updated',
  'unchanged',
  'superseded',
  'merged',
  'deleted',
  'restored',
]);

import { type ChangeResult, type Clock, type EditChange, slugOf, type VaultMemory } from '@annals/domain';
import { readVaultMemories, type Tx } from '@annals/storage';
import type { FileStamp } from '../files/file-stamp.js';
import { GitError } from '../git/git-error.js';
import { gitPath, isThere } from '../git/git-folder.js';
import type { VaultRepository } from '../git/repository.js';
import type { OtherFile, VaultIndex } from '../projection/vault-index.js';
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

/** `keptFor`: the memory beside whose file it is to be kept, since not all of it is in the database; absent: nothing else is in it. */
export interface TakenFile {
  readonly path: string;
  readonly stamp: FileStamp;
  readonly keptFor?: string;
}

export interface TakenEdits extends Readonly<EditCounts> {
  /** Files in places that are no item's, which the projection is to remove. */
  readonly taken: readonly TakenFile[];
  /** Somebody is still writing: another run is to look again. */
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
  private readonly taken: TakenFile[] = [];
  private readonly others: Record<string, OtherFile>;

  constructor(private readonly run: EditRun) {
    this.others = { ...run.index.others };
  }

  async take(): Promise<TakenEdits> {
    const { folder, index, repository, settle } = this.run;
    // What is in the folder is another branch, or a merge that is not finished.
    if ((await repository?.state())?.isBusy) return { ...this.counts, taken: [], isChanging: false };
    const committed = index.chain === null && repository ? await repository.headFiles() : new Map<string, string>();
    const found = await findEdits({ folder, index, committed, settle });
    const classified = classifyEdits(found, index);
    await this.requireQuietRepository(classified);
    for (const path of Object.keys(this.others)) if (!found.paths.has(path)) delete this.others[path];
    this.counts.withheld = classified.withheld;
    for (const item of classified.returned) this.putBack(item);
    for (const file of classified.left) this.leave(file);
    const { candidates } = classified;
    if (candidates.length > 0) await this.takeCandidates(candidates);
    index.setOthers(this.others);
    await writeNotTaken(folder, this.others);
    return { ...this.counts, taken: this.taken, isChanging: found.isChanging };
  }

  private async takeCandidates(candidates: readonly Candidate[]): Promise<void> {
    const rules = await this.run.loadRules();
    for (let start = 0; start < candidates.length; start += PAGE_EDITS) {
      this.run.signal.throwIfAborted();
      await this.takePage(candidates.slice(start, start + PAGE_EDITS), rules);
    }
  }

  /** A checkout removes files before it writes them. */
  private async requireQuietRepository({ candidates, returned }: ClassifiedEdits): Promise<void> {
    const { repository, folder } = this.run;
    if (repository === null || candidates.length + returned.length === 0) return;
    if (await isThere(gitPath(folder, 'index.lock')))
      throw new GitError('locked', 'Another program is changing the repository: edits are taken over behind it.');
  }

  private async takePage(page: readonly Candidate[], rules: EditRules): Promise<void> {
    const { transact, apply, clock, index } = this.run;
    const done = await transact(async (tx) => {
      const memories = await readMemories(tx, page);
      const context = {
        now: clock.now(),
        rules,
        memories,
        isInPlace: (id: string) => index.find(id) !== undefined,
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
    const folder = path.split('/')[1];
    const found = Object.values(this.run.index.conversations).find(({ threadId }) => slugOf(threadId) === folder);
    return found?.threadId ?? null;
  }

  /** What the projection, which comes next, has to know. */
  private note(candidate: Candidate, plan: CandidatePlan, result: ChangeResult | null): void {
    if (candidate.file) delete this.others[candidate.file.path];
    if (plan.kind === 'refused') this.refuse(candidate, plan.reason, plan.problems);
    else if (plan.kind === 'same') {
      if (candidate.kind === 'add') this.leave(candidate.file!);
      else {
        this.counts.returned += 1;
        this.adopt(candidate);
      }
    } else if (!TAKEN.has(result!.outcome)) this.refuse(candidate, 'not_applied', []);
    else {
      this.counts[COUNTED[candidate.kind]] += 1;
      if (plan.isWhole) this.adopt(candidate);
      else this.keep(candidate, result!.memoryId);
    }
  }

  /** The database has what is in the file: it may be replaced. */
  private adopt({ file, id, item }: Candidate): void {
    const { index } = this.run;
    if (item && file?.path === item.path) return index.adopt(id!, file);
    if (id !== null) index.markStale(id);
    if (file === null) return;
    index.adoptAt(file.path, file.blob);
    this.taken.push(file);
  }

  private refuse(candidate: Candidate, reason: EditFault, problems: readonly string[]): void {
    this.counts.refused += 1;
    if (candidate.kind === 'add') this.leave(candidate.file!, reason, problems);
    else this.keep(candidate, candidate.id!);
  }

  /** Kept beside the file of a memory: in its own place, the projection finds it. */
  private keep({ file, id, item }: Candidate, memoryId: string): void {
    if (id !== null) this.run.index.markStale(id);
    if (file === null || file.path === item?.path) return;
    this.taken.push(file.blob === item?.blob ? file : { ...file, keptFor: item ? id! : memoryId });
  }

  private putBack({ id, file, item }: ClassifiedEdits['returned'][number]): void {
    this.counts.returned += 1;
    this.keep({ kind: 'edit', file, id, item }, id);
  }

  /** Left as it is, until it is changed again. */
  private leave({ path, stamp }: ForeignFile, reason?: EditFault, problems: readonly string[] = []): void {
    this.others[path] = { stamp, ...(reason === undefined ? {} : { reason }), problems: [...problems] };
  }
}

async function readMemories(tx: Tx, page: readonly Candidate[]): Promise<ReadonlyMap<string, VaultMemory>> {
  const ids = page.flatMap(({ id }) => (id !== null && IS_ID.test(id) ? [id] : []));
  const memories = await readVaultMemories(tx, [...new Set(ids)]);
  const successors = await readVaultMemories(
    tx,
    memories.flatMap(({ replacedBy }) => (replacedBy === null ? [] : [replacedBy])),
  );
  return new Map([...memories, ...successors].map((memory) => [memory.id, memory]));
}

const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const COUNTED = { edit: 'changed', add: 'added', delete: 'deleted', restore: 'restored' } as const;
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

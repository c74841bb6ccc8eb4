import { gitBlobId } from '@annals/domain';
import { mapFiles } from '../files/batches.js';
import { FolderGuard } from '../files/folder-guard.js';
import { readBytes } from '../files/read-file.js';
import { toVaultError, VaultUnavailableError } from '../unavailable.js';
import { checkIsPlain } from './check-plain.js';
import { commitChanges, type CommitRequest } from './commit.js';
import type { HistoryFilter } from './filter-history.js';
import { listForeignPaths } from './foreign-paths.js';
import { type ForgottenHistory, forgetHistory } from './forget.js';
import { Git, type GitSettings } from './git.js';
import { GitError } from './git-error.js';
import { BRANCH, hasUnfinished, readBranch, type VaultState } from './git-folder.js';
import { clearLocks, withMarker } from './locks.js';
import { countRepository, packObjects, type RepositoryCounts } from './object-store.js';
import { readTree } from './read-tree.js';
import { readHead, repairBasics, repairRepository, resolveCommit } from './repair.js';

/** Of files that are hashed: no longer than what is committed. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;
const MAX_COUNT_MS = 10_000;

/**
 * The Git repository of one folder of the vault. One process writes it, and its calls run one after the other. All
 * methods throw `GitError` or `VaultUnavailableError`; what they were doing is then done whole or not at all, except that
 * `forget` is to be repeated.
 */
export class VaultRepository {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly git: Git,
    /** Commits or files in them were lost with the disk: the caller commits every file of the folder again. */
    readonly hasLostHistory: boolean,
  ) {}

  /**
   * Opens the repository of `folder`, an absolute path that exists. Makes one when there is none, also inside of another
   * repository, and repairs what a killed process or a power loss left.
   */
  static async open(folder: string, settings: GitSettings): Promise<VaultRepository> {
    const git = new Git(folder, settings);
    return guarded(folder, async () => {
      await checkIsPlain(folder);
      await repairBasics(folder);
      await git.init(BRANCH);
      const wasKilled = await clearLocks(git).catch((error: unknown) => {
        // A person's program is at work: what needs the lock says so, everything else does not need it.
        if (error instanceof GitError && error.isLocked) return null;
        throw error;
      });
      return new VaultRepository(git, wasKilled === null ? false : await repairRepository(git, wasKilled));
    });
  }

  /**
   * What there is, within ten seconds and without opening it, which repairs. Throws nothing but `GitError`, or the reason of
   * the signal: who removes the repository does so uncounted.
   */
  static async countIn(folder: string, settings: GitSettings): Promise<RepositoryCounts> {
    const timeoutMs = Math.min(settings.timeoutMs ?? MAX_COUNT_MS, MAX_COUNT_MS);
    try {
      await checkIsPlain(folder);
      return await countRepository(new Git(folder, { ...settings, timeoutMs }));
    } catch (error) {
      if (error instanceof GitError || settings.signal?.aborted === true) throw error;
      const found = toVaultError(error, folder);
      if (!(found instanceof VaultUnavailableError))
        throw new GitError('failed', `The commits in ${folder} could not be counted.`, { cause: error });
      throw new GitError('unavailable', found.message, { cause: found });
    }
  }

  /** Where the repository is, and whether a person is in the middle of something. */
  async state(): Promise<VaultState> {
    const { folder } = this.git;
    return guarded(folder, async () => {
      const [head, branch, isUnfinished] = await Promise.all([
        readHead(this.git),
        readBranch(folder),
        hasUnfinished(folder),
      ]);
      return { head, branch, isBusy: isUnfinished || branch !== BRANCH };
    });
  }

  /**
   * Records these paths as they are in the folder, and nothing else that a person changed or staged. Returns the id of the
   * commit, or `null` when nothing differs from the last one.
   * @throws {GitError} `busy`, and `locked` or `moved` when another program was faster
   */
  commit(request: CommitRequest): Promise<string | null> {
    return this.write(async () => {
      const { head, isBusy } = await this.state();
      if (isBusy) {
        const how = 'Finish it, or go back to the branch main; changes are recorded then.';
        throw new GitError('busy', `In ${this.git.folder} a merge or a rebase is not finished. ${how}`);
      }
      return commitChanges(this.git, head, request);
    });
  }

  /** Removes paths and versions from all history, for good. See `forgetHistory`. */
  forget(filter: HistoryFilter): Promise<ForgottenHistory> {
    return this.write(() => forgetHistory(this.git, filter), 'collections');
  }

  /** Packs objects when there are many. Returns whether it did. */
  pack(): Promise<boolean> {
    return this.write(() => packObjects(this.git));
  }

  count(): Promise<RepositoryCounts> {
    return VaultRepository.countIn(this.git.folder, this.git.settings);
  }

  /** The ids of the texts of the last commit, by path. */
  async headFiles(): Promise<Map<string, string>> {
    const head = await readHead(this.git);
    return head === null ? new Map() : readTree(this.git, head);
  }

  /** Those of `headFiles` that nobody else than `author` (`Name <address>`) ever committed. */
  async ownHeadFiles(author: string): Promise<Map<string, string>> {
    const head = await readHead(this.git);
    if (head === null) return new Map();
    const [files, foreign] = await Promise.all([readTree(this.git, head), listForeignPaths(this.git, head, author)]);
    for (const path of foreign) files.delete(path);
    return files;
  }

  /** Whether a commit is part of the history of the branch. */
  async contains(commit: string): Promise<boolean> {
    const head = await readHead(this.git);
    if (head === null || (await resolveCommit(this.git, commit)) === null) return false;
    return (await this.git.text(['rev-list', '-1', commit, `^${head}`])) === '';
  }

  /** The ids that Git gives these files of the folder as they are, `null` for what cannot be recorded or is missing. */
  async hashFiles(relativePaths: readonly string[]): Promise<Map<string, string | null>> {
    const guard = new FolderGuard(this.git.folder);
    const ids = await mapFiles(this.git.folder, relativePaths, async (path) => {
      const found = await readBytes(guard, path, MAX_HASHED_BYTES);
      return found.outcome === 'read' ? gitBlobId(found.bytes) : null;
    });
    return new Map(relativePaths.map((path, index) => [path, ids[index]!]));
  }

  private write<Result>(work: () => Promise<Result>, alsoOf?: 'collections'): Promise<Result> {
    const { folder } = this.git;
    const run = this.last.then(() =>
      guarded(folder, async () => {
        await checkIsPlain(folder);
        await clearLocks(this.git, alsoOf);
        return withMarker(this.git, work);
      }),
    );
    this.last = run.catch(() => {});
    return run;
  }
}

async function guarded<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toVaultError(error, folder);
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { vaultQueue } from '@annals/contracts';
import { computeRetryDelayMs, signVaultRemoval } from '@annals/domain';
import {
  type ClaimedWork,
  commitWork,
  type Infrastructure,
  type JobAttempt,
  LeaseLostError,
  type WorkEnding,
  type WorkStage,
} from '@annals/runtime';
import {
  enqueueWork,
  loadVaultSubject,
  recordVaultRemoval,
  type VaultErasure,
  type VaultSubject,
  type VaultUser,
} from '@annals/storage';
import {
  GitError,
  openVaultFolder,
  type OwnChanges,
  removeVault,
  VaultIndex,
  type VaultResult,
  VaultRepository,
  VaultTakenError,
  VaultUnavailableError,
  writeVault,
} from '@annals/vault';
import { type EditSettings, takeVaultEdits } from './vault-edits.js';

/** Behind this, a run writes no further page: the rest is another run, which other users do not wait for. */
const RUN_MS = 60_000;
/** Behind this, what somebody was writing is looked at again. */
const CHANGING_MS = 1_000;
/** What waits for a disk, or for a person who is merging. */
const RETRY_DELAY = { firstMs: 5_000, maxMs: 300_000, jitter: 0.5 };
/** Behind the lease of a worker that was writing when its user was erased, until it has certainly noticed. */
const SETTLING_MS = 5_000;

export type VaultDependencies = Pick<
  Infrastructure,
  'database' | 'clock' | 'ids' | 'rng' | 'metrics' | 'logger' | 'secrets'
>;

export interface VaultSettings {
  /** Folder of the vault. */
  readonly root: string;
  readonly hasGit: boolean;
  /** Where `git` is looked for. */
  readonly searchPath: string;
  readonly leaseMs: number;
  /** What changes of people become memories with; null: files are only written. */
  readonly edits: EditSettings | null;
  /** Notes what is written, where this process watches the vault. */
  readonly ownChanges?: OwnChanges | undefined;
}

/** Brings the files of a user up to date, and removes those of users who were erased (docs/reference/vault.md). */
export function createVaultStage(dependencies: VaultDependencies, settings: VaultSettings): WorkStage<VaultSubject> {
  return {
    definition: vaultQueue,
    leaseMs: settings.leaseMs,
    load: loadVaultSubject,
    run: (work, subject, attempt) => new VaultRun(dependencies, settings, work, attempt).run(subject),
    translate: () => undefined,
  };
}

class VaultRun {
  constructor(
    private readonly dependencies: VaultDependencies,
    private readonly settings: VaultSettings,
    private readonly work: ClaimedWork,
    private readonly attempt: JobAttempt,
  ) {}

  async run(subject: VaultSubject): Promise<WorkEnding> {
    try {
      if (subject?.type === 'user') return await this.write();
      if (subject?.type === 'erased') return await this.remove(subject);
      await commitWork(this.dependencies.database, this.work, async () => undefined);
      return { ends: 'done' };
    } catch (error) {
      if (error instanceof VaultTakenError || error instanceof LeaseLostError || this.attempt.signal.aborted) {
        await this.removeWrittenTooLate();
        throw error instanceof VaultTakenError ? new LeaseLostError() : error;
      }
      const ending = this.defer(error);
      if (ending === null) throw error;
      return ending;
    }
  }

  private async write(): Promise<WorkEnding> {
    const { database, clock, ids } = this.dependencies;
    const { tenantId, subjectId } = this.work;
    const { signal } = this.attempt;
    // Read again: a worker that was held up since its claim would make the folder of a user anew who was erased meanwhile.
    const { userId } = await this.loadUser();
    const folder = await openVaultFolder(this.settings.root, { tenantId, userId, subjectId });
    const { hasGit, ownChanges, edits: settings } = this.settings;
    const repository = hasGit ? await this.openRepository(folder) : null;
    const index = await VaultIndex.load(folder, subjectId, `${this.work.id} ${this.work.fence}`);
    const endsAt = performance.now() + RUN_MS;
    const about = { folder, userId, index, repository, work: this.work, attempt: this.attempt };
    const edits = settings && (await takeVaultEdits(this.dependencies, settings, about));
    // With the changes that were just made.
    const user = await this.loadUser();
    const result = await writeVault({
      folder,
      userId,
      isFollowed: edits !== null,
      chain: user.chain,
      forgottenAt: user.forgottenAt,
      index,
      repository,
      openFormer: !hasGit && existsSync(join(folder, '.git')) ? () => this.openRepository(folder) : null,
      read: (query) => database.readTenant(tenantId, query),
      clock,
      signal,
      mayGoOn: () => performance.now() < endsAt,
      ownChanges,
    });
    this.report(result);
    await commitWork(database, this.work, async (tx) => {
      if (result.isComplete && !edits?.isChanging) return;
      const now = clock.now();
      const availableAt = result.isComplete ? now + CHANGING_MS : now;
      await enqueueWork(tx, [{ kind: 'vault', subjectId, availableAt, trace: null }], { now, ids });
    });
    return { ends: 'done' };
  }

  private loadSubject(): Promise<VaultSubject> {
    const { tenantId, subjectId } = this.work;
    return this.dependencies.database.readTenant(tenantId, (tx) => loadVaultSubject(tx, subjectId));
  }

  private async loadUser(): Promise<VaultUser> {
    const subject = await this.loadSubject();
    if (subject?.type !== 'user') throw new LeaseLostError();
    return subject;
  }

  /** Another worker has the user now: if they were erased, it may have removed the folder before this one wrote the last. */
  private async removeWrittenTooLate(): Promise<void> {
    const { tenantId, subjectId } = this.work;
    const subject = await this.loadSubject();
    if (subject?.type === 'erased' && subject.isRemoved)
      await removeVault(this.settings.root, { tenantId, subjectId }, async () => 0);
  }

  private async remove({ receiptId, requestedAt, isRemoved }: VaultErasure): Promise<WorkEnding> {
    const { database, clock, secrets, metrics, logger } = this.dependencies;
    const { tenantId, subjectId } = this.work;
    const until = requestedAt + this.settings.leaseMs + SETTLING_MS;
    // A worker that was writing would make the folder again; it stops when it renews its lease.
    if (!isRemoved && clock.now() < until) return { ends: 'deferred', reason: 'not_due', until };
    const removed = await removeVault(this.settings.root, { tenantId, subjectId }, (folder) =>
      this.countCommits(folder),
    );
    const removedAt = clock.now();
    const signature = signVaultRemoval(secrets.audit, {
      receiptId: receiptId ?? subjectId,
      tenantId,
      requestedAt: new Date(requestedAt).toISOString(),
      removedAt: new Date(removedAt).toISOString(),
      ...removed,
    });
    await commitWork(database, this.work, (tx) =>
      recordVaultRemoval(tx, { subjectId, removedAt, ...removed, signature }),
    );
    if (!isRemoved) metrics.inc('memory_llm_vault_erasures_total');
    logger.info('vault_removed', { tenantId, subjectId, ...removed });
    return { ends: 'done' };
  }

  private openRepository(folder: string): Promise<VaultRepository> {
    return VaultRepository.open(folder, this.git);
  }

  private get git() {
    const { clock } = this.dependencies;
    return { clock, searchPath: this.settings.searchPath, signal: this.attempt.signal };
  }

  /** The repository goes whether its commits can be counted or not. */
  private async countCommits(folder: string): Promise<number> {
    try {
      return existsSync(join(folder, '.git')) ? (await VaultRepository.countIn(folder, this.git)).commits : 0;
    } catch {
      this.attempt.signal.throwIfAborted();
      return 0;
    }
  }

  private report({ written, removed, conflicts, refused, commits, hasForgotten }: VaultResult): void {
    const { metrics, logger } = this.dependencies;
    const { tenantId, subjectId } = this.work;
    metrics.add('memory_llm_vault_files_total', written, { outcome: 'written' });
    metrics.add('memory_llm_vault_files_total', removed, { outcome: 'removed' });
    metrics.add('memory_llm_vault_files_total', conflicts, { outcome: 'conflict' });
    metrics.add('memory_llm_vault_files_total', refused, { outcome: 'refused' });
    metrics.add('memory_llm_vault_commits_total', commits);
    if (hasForgotten) metrics.inc('memory_llm_vault_rewrites_total');
    if (written + removed + conflicts + refused === 0 && !hasForgotten) return;
    logger.info('vault_written', { tenantId, subjectId, written, removed, conflicts, refused, hasForgotten });
  }

  /** Null: an error that a later time does not mend. */
  private defer(error: unknown): WorkEnding | null {
    if (!(error instanceof VaultUnavailableError) && !(error instanceof GitError)) return null;
    const { clock, rng, logger } = this.dependencies;
    const { tenantId, subjectId, attempts } = this.work;
    const delayMs = computeRetryDelayMs(RETRY_DELAY, attempts - 1, rng);
    logger.warn('vault_unavailable', { tenantId, subjectId, reason: error.code });
    return { ends: 'deferred', reason: 'vault_unavailable', until: clock.now() + Math.round(delayMs) };
  }
}

import type { Infrastructure } from '@annals/runtime';
import { enqueueWork, loadVaultSubject } from '@annals/storage';
import { type OwnChanges, type VaultOwner, VaultWatcher } from '@annals/vault';

export type WatchingDependencies = Pick<Infrastructure, 'database' | 'clock' | 'ids' | 'metrics' | 'logger'> & {
  readonly relay: Pick<Infrastructure['relay'], 'kick'>;
};

/** Has the files of a user looked at when somebody changes them. `own`: what this process writes. */
export function createVaultWatcher(dependencies: WatchingDependencies, root: string, own: OwnChanges): VaultWatcher {
  const { clock, metrics, logger } = dependencies;
  const watcher = new VaultWatcher({
    root,
    own,
    clock,
    onChanged: (owner) => askForVault(dependencies, owner),
    report: {
      noticed: (by) => metrics.inc('memory_llm_vault_changes_noticed_total', { by }),
      unwatched: (reason) => logger.warn('vault_not_watched', { reason }),
      failed: (error) => logger.warn('vault_watch_failed', { error }),
    },
  });
  metrics.collectGauges(['memory_llm_vault_watched_folders'], async () => [
    { metric: 'memory_llm_vault_watched_folders', labels: {}, value: watcher.watchedFolders },
  ]);
  return watcher;
}

/** Asks for work about a user, if there is one: the folder says whose it is, and anybody can have written that. */
export async function askForVault(
  { database, clock, ids, relay }: Pick<WatchingDependencies, 'database' | 'clock' | 'ids' | 'relay'>,
  { tenantId, userId, subjectId }: VaultOwner,
): Promise<void> {
  const isAsked = await database.inTenant(tenantId, async (tx) => {
    const subject = await loadVaultSubject(tx, subjectId);
    if (subject?.type !== 'user' || subject.userId !== userId) return false;
    const now = clock.now();
    await enqueueWork(tx, [{ kind: 'vault', subjectId, availableAt: now, trace: null }], { now, ids });
    return true;
  });
  if (isAsked) relay.kick();
}

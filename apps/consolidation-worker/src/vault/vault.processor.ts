import type { Config } from '@annals/config';
import { CONFIG, createWorkWorker, type Infrastructure, INFRASTRUCTURE, Redactors } from '@annals/runtime';
import { closeVault } from '@annals/storage';
import { OwnChanges, type VaultWatcher } from '@annals/vault';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { resolve } from 'node:path';
import { createVaultJob } from './vault-job.js';
import { createVaultStage } from './vault-stage.js';
import { createVaultWatcher } from './vault-watching.js';

/** Whether no other process can be writing a vault. */
export const IS_ALONE = Symbol('IsAlone');

/** Connects the queue of the vault with its stage, where a vault is configured. */
@Injectable()
export class VaultProcessor implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private watcher: VaultWatcher | null = null;

  constructor(
    @Inject(INFRASTRUCTURE) private readonly infrastructure: Infrastructure,
    @Inject(CONFIG) private readonly config: Config<'vault' | 'workers' | 'redaction' | 'writing' | 'retention'>,
    @Inject(IS_ALONE) private readonly isAlone: boolean,
  ) {}

  async onModuleInit(): Promise<void> {
    const { infrastructure, config } = this;
    const { path, hasGit, searchPath, isWatched } = config.vault;
    if (path === undefined) {
      // In a fleet, another process may have it: there it is switched off by `annals vault off`.
      if (this.isAlone) await closeVault(infrastructure.database, { abandons: false });
      return;
    }
    const root = resolve(path);
    const { leaseMs } = config.workers;
    const own = isWatched ? new OwnChanges() : undefined;
    if (own) this.watcher = createVaultWatcher(infrastructure, root, own);
    infrastructure.maintenance.add(createVaultJob(root, infrastructure.ids));
    const { database, secrets, clock, logger } = infrastructure;
    const redactors = new Redactors(database, config, secrets, clock, logger);
    const edits = isWatched ? { redactors, config, leaseMs } : null;
    const stage = createVaultStage(infrastructure, { root, hasGit, searchPath, leaseMs, edits, ownChanges: own });
    infrastructure.workers.add(createWorkWorker(infrastructure, stage));
  }

  /** Does not wait: what there is to see in a large vault takes a while. */
  onApplicationBootstrap(): void {
    void this.watcher?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.watcher?.stop();
  }
}

import type { Config } from '@annals/config';
import { CONFIG, createWorkWorker, type Infrastructure, INFRASTRUCTURE, Redactors } from '@annals/runtime';
import { closeVault } from '@annals/storage';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { resolve } from 'node:path';
import { createVaultJob } from './vault-job.js';
import { createVaultStage } from './vault-stage.js';

/** Whether no other process can be writing a vault. */
export const IS_ALONE = Symbol('IsAlone');

/** Connects the queue of the vault with its stage, where a vault is configured. */
@Injectable()
export class VaultProcessor implements OnModuleInit {
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
    infrastructure.maintenance.add(createVaultJob(root, infrastructure.ids));
    const { database, secrets, clock, logger } = infrastructure;
    const redactors = new Redactors(database, config, secrets, clock, logger);
    const edits = isWatched ? { redactors, config, leaseMs } : null;
    const stage = createVaultStage(infrastructure, { root, hasGit, searchPath, leaseMs, edits });
    infrastructure.workers.add(createWorkWorker(infrastructure, stage));
  }
}

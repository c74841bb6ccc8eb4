import type { Config } from '@annals/config';
import {
  createInfrastructure,
  embeddedStores,
  type Infrastructure,
  isTraced,
  type ModelsConfig,
  type ProcessContext,
  readModelLimits,
} from '@annals/runtime';
import { type EmbeddedDatabase, migrate, openEmbeddedDatabase } from '@annals/storage';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getOrCreateSecret } from './secret-file.js';

export type DataFolderConfig = Config<'embedded' | 'relay' | 'minds' | 'telemetry'> & ModelsConfig;

/** The data folder of this process: it contains the database, the queue and the secrets. */
export class DataFolder {
  readonly folder: string;
  private database?: EmbeddedDatabase;

  constructor(
    private readonly config: DataFolderConfig,
    private readonly print: (line: string) => void,
  ) {
    this.folder = resolve(config.embedded.dataDir);
  }

  pathOf(file: string): string {
    return join(this.folder, file);
  }

  /** Locks the folder and opens the database in it. @throws DataFolderInUseError */
  async open({ logger }: Pick<ProcessContext, 'logger'>): Promise<void> {
    this.print('Opening the database …');
    this.database = await openEmbeddedDatabase({
      location: { folder: this.folder },
      scrub: {
        onScrubbed: (durationMs) => logger.debug('files_scrubbed', { durationMs: Math.round(durationMs) }),
        onFailed: (error) => logger.warn('file_scrub_failed', { error }),
      },
      // The process cannot continue without the database; committed data is safe.
      onCrash: (error) =>
        setImmediate(() => {
          throw error;
        }),
    });
    chmodSync(this.folder, 0o700);
  }

  async connect(context: ProcessContext): Promise<Infrastructure> {
    const { createStream } = this.opened;
    this.print('Applying migrations …');
    await migrate({ stream: createStream });
    const { embedded, relay, minds, telemetry } = this.config;
    return createInfrastructure(context, {
      stores: embeddedStores(createStream),
      secretKey: embedded.secretKey ?? getOrCreateSecret(this.pathOf('secret.key')),
      acceptedKeys: embedded.acceptedKeys,
      chainKey: embedded.chainKey,
      pseudonymKey: embedded.pseudonymKey,
      relay,
      traced: isTraced(telemetry),
      models: readModelLimits(this.config),
      minds,
    });
  }

  async close(): Promise<void> {
    await this.database?.close();
  }

  private get opened(): EmbeddedDatabase {
    if (!this.database) throw new Error('The data folder is not open: call open first.');
    return this.database;
  }
}

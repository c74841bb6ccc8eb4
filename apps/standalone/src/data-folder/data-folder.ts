import { type Config, ConfigError } from '@annals/config';
import {
  createInfrastructure,
  deriveSecrets,
  type SecretKeys,
  embeddedStores,
  type Infrastructure,
  isTraced,
  type ModelsConfig,
  type ProcessContext,
  readModelLimits,
} from '@annals/runtime';
import {
  type AskedBackup,
  type BackupResult,
  Database,
  DELETIONS_FILE,
  type EmbeddedDatabase,
  migrate,
  openEmbeddedDatabase,
  serveBackupRequests,
  writeBackup,
} from '@annals/storage';
import { chmodSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { keepDeletions } from './keep-deletions.js';
import { getOrCreateSecret } from './secret-file.js';

export type DataFolderConfig = Config<'embedded' | 'relay' | 'minds' | 'telemetry'> & ModelsConfig;

/** The data folder of this process: it contains the database, the queue and the secrets. */
export class DataFolder {
  readonly folder: string;
  private database?: EmbeddedDatabase;
  private readonly closing = new AbortController();
  /** What runs beside the services until the folder is closed. */
  private readonly running: Promise<void>[] = [];

  /** @throws ConfigError when the list of deletions cannot be kept where it should be */
  constructor(
    private readonly config: DataFolderConfig,
    private readonly print: (line: string) => void,
  ) {
    this.folder = resolve(config.embedded.dataDir);
    assertFolderOfList(config.embedded.deletionsFile);
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
    const secretKey = embedded.secretKey ?? getOrCreateSecret(this.pathOf('secret.key'));
    this.running.push(this.keepDeletions(context, { ...embedded, secretKey }), this.serveBackups(context));
    return createInfrastructure(context, {
      stores: embeddedStores(createStream),
      secretKey,
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
    this.closing.abort();
    await Promise.all(this.running);
    await this.database?.close();
  }

  private get deletionsFile(): string {
    return resolve(this.config.embedded.deletionsFile ?? this.pathOf(DELETIONS_FILE));
  }

  /** On a connection of its own, which is closed after all others: the last deletions are in the list as well. */
  private async keepDeletions({ clock, logger }: ProcessContext, given: SecretKeys): Promise<void> {
    const { auditKeys } = deriveSecrets(given);
    const stream = this.opened.createStream;
    const database = await Database.open({ stream, role: 'annals_app', poolSize: 1, applicationName: 'deletions' });
    try {
      await keepDeletions(database, {
        file: this.deletionsFile,
        keys: auditKeys,
        now: () => clock.now(),
        onFailed: (error) => logger.error('deletions_export_failed', { error }),
        signal: this.closing.signal,
      });
    } finally {
      await database.close();
    }
  }

  private serveBackups(context: ProcessContext): Promise<void> {
    return serveBackupRequests(this.folder, (asked) => this.backUp(context, asked), { signal: this.closing.signal });
  }

  private async backUp({ clock, logger }: ProcessContext, { target, withKeys }: AskedBackup): Promise<BackupResult> {
    const { folder: dataFolder, deletionsFile } = this;
    const now = clock.now();
    try {
      const result = await writeBackup({ dataFolder, target, withKeys, deletionsFile }, now, (to) =>
        this.opened.copyTo(to, now),
      );
      const { files, bytes, blockedMs } = result;
      logger.info('backup_written', { files, bytes, blockedMs });
      return result;
    } catch (error) {
      logger.error('backup_failed', { error });
      throw error;
    }
  }

  private get opened(): EmbeddedDatabase {
    if (!this.database) throw new Error('The data folder is not open: call open first.');
    return this.database;
  }
}

/** A list that cannot be kept would be missed only when a backup is restored. */
function assertFolderOfList(file: string | undefined): void {
  if (file === undefined || existsSync(dirname(resolve(file)))) return;
  const variable = 'ANNALS_DELETIONS_FILE';
  throw new ConfigError([{ variable, message: `${variable} must name a file in a folder that exists.` }]);
}

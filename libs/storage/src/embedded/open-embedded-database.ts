import type { PGlite } from '@electric-sql/pglite';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyWrittenFolder } from './backup/copy-files.js';
import { acquireDataFolderLock, type DataFolderLock } from './data-folder-lock.js';
import { EmbeddedHub } from './embedded-hub.js';
import type { EngineCrashedError } from './engine.js';
import { FileScrubber, type FileScrubberOptions } from './file-scrubber.js';
import type { HubStream } from './hub-stream.js';
import { removeTemporaryFiles } from './temporary-files.js';

const DEFAULT_LOCK_TIMEOUT_MS = 15_000;

const SETTINGS = {
  // Deletions request that the files be rewritten (docs/reference/privacy.md#erased-words-in-files).
  'annals.embedded': 'on',
  // A segment that is kept for later use keeps what was written to it.
  wal_recycle: 'off',
};

export interface EmbeddedDatabaseOptions {
  /** Where the data is stored: a folder, which is created and locked for this process, or this process's memory. */
  readonly location: { readonly folder: string } | 'memory';
  /** A dump to initialize the database from. Used only when there is no database yet. */
  readonly snapshot?: Blob;
  /** PostgreSQL settings that differ from PGlite's defaults, by name, such as `shared_buffers` (128 MB). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Time limit of a statement for waiting for another connection's transaction, in milliseconds. Default 15 s. */
  readonly lockTimeoutMs?: number;
  /** How files are rewritten after deletions; absent: not by this process. Only for a folder. */
  readonly scrub?: FileScrubberOptions;
  /** Called when the engine is unusable. End the process: committed data is safe. */
  readonly onCrash?: (error: EngineCrashedError) => void;
}

export interface EmbeddedDatabase {
  /** A new connection, to be passed to `pg` or TypeORM as `stream`. */
  readonly createStream: () => HubStream;
  /** The whole database, to be passed to another one as `snapshot`. */
  dump(): Promise<Blob>;
  /**
   * Copies the files of the database, consistent as of the end of the copy, while others use it: they wait only while
   * what has changed during the copy is copied again. `now`: epoch ms. Only for a folder.
   */
  copyTo(folder: string, now: number): Promise<{ readonly blockedMs: number }>;
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL (PGlite) inside this process, with pgvector available for `CREATE EXTENSION vector`. Survives a kill
 * of the process at any moment, but not a power failure, since it runs without fsync
 * (docs/reference/isolation.md#durability-of-the-embedded-database). Throws {@link DataFolderInUseError}.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const lock = options.location === 'memory' ? undefined : acquireDataFolderLock(options.location.folder);
  try {
    const db =
      options.location === 'memory' ? await create(options) : await openFolder(options.location.folder, options);
    const hub = new EmbeddedHub(db, {
      serverVersion: await readServerVersion(db),
      lockTimeoutMs: options.lockTimeoutMs ?? DEFAULT_LOCK_TIMEOUT_MS,
      onCrash: options.onCrash ?? (() => undefined),
    });
    const scrubber =
      options.scrub && options.location !== 'memory'
        ? new FileScrubber(hub, join(options.location.folder, 'database'), options.scrub)
        : undefined;
    scrubber?.start();
    return {
      createStream: hub.createStream,
      dump: () => hub.dump(),
      copyTo: (folder, now) => copyTo(hub, options.location, folder, now),
      close: () => close(hub, lock, scrubber),
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** The database is initialized beside its final path, so a process killed meanwhile leaves no partial database. */
async function openFolder(folder: string, options: EmbeddedDatabaseOptions): Promise<PGlite> {
  const finished = join(folder, 'database');
  if (!existsSync(finished)) {
    const unfinished = join(folder, 'database.new');
    rmSync(unfinished, { recursive: true, force: true });
    await (await create(options, unfinished)).close();
    renameSync(unfinished, finished);
  }
  removeTemporaryFiles(finished);
  const { settings = {} } = options;
  return create({ settings }, finished);
}

async function create(
  { snapshot, settings = {} }: Pick<EmbeddedDatabaseOptions, 'snapshot' | 'settings'>,
  dataDir?: string,
): Promise<PGlite> {
  // Loaded on demand: services on a PostgreSQL server never need it.
  const [{ PGlite: Engine }, { vector }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-pgvector'),
  ]);
  const settingArguments = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return Engine.create({
    extensions: { vector },
    startParams: [...Engine.defaultStartParams, ...settingArguments],
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(snapshot === undefined ? {} : { loadDataDir: snapshot }),
  });
}

async function copyTo(
  hub: EmbeddedHub,
  location: EmbeddedDatabaseOptions['location'],
  folder: string,
  now: number,
): Promise<{ blockedMs: number }> {
  if (location === 'memory') throw new Error('A database in memory has no files to copy.');
  const copy = await copyWrittenFolder(join(location.folder, 'database'), folder, now);
  return hub.runAlone(async () => {
    const startedAt = performance.now();
    await hub.execute('CHECKPOINT');
    await copy.finish();
    return { blockedMs: Math.round(performance.now() - startedAt) };
  });
}

async function readServerVersion(db: PGlite): Promise<string> {
  const { rows } = await db.query<{ server_version: string }>('SHOW server_version');
  return rows[0]!.server_version;
}

async function close(hub: EmbeddedHub, lock?: DataFolderLock, scrubber?: FileScrubber): Promise<void> {
  await scrubber?.close();
  await hub.close();
  lock?.release();
}

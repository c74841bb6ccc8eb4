import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '../../database/schema-version.js';
import { acquireDataFolderLock } from '../data-folder-lock.js';
import { copyFolder } from './copy-files.js';
import { BackupError, writeManifest } from './manifest.js';

const OWNER_ONLY_FOLDER = 0o700;
/** Beside the database: what its data cannot be used without, and what was deleted from it. */
const KEY_FILES = ['secret.key', 'bootstrap-key'];
export const DELETIONS_FILE = 'deletions.ndjson';

export interface BackupRequest {
  readonly dataFolder: string;
  /** The folder in which the backup becomes a folder of its own. */
  readonly target: string;
  /** Whether the keys are part of it. */
  readonly withKeys: boolean;
  /** Of the list of deletions, which goes along as it is now. */
  readonly deletionsFile: string;
}

export interface BackupResult {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  /** How long other users of the database waited, in ms; 0 for one that nobody used. */
  readonly blockedMs: number;
}

/**
 * Writes a backup: under another name until it is whole and on disk. `copyDatabase` copies the database of a running
 * process and returns for how long nobody else could use it. `now`: epoch ms.
 */
export async function writeBackup(
  request: BackupRequest,
  now: number,
  copyDatabase: (to: string) => Promise<{ readonly blockedMs: number }>,
): Promise<BackupResult> {
  const folder = join(request.target, `annals-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`);
  const unfinished = `${folder}.unfinished`;
  if (existsSync(folder)) throw new BackupError(`${folder} exists already: try again in a moment.`);
  await mkdir(request.target, { recursive: true, mode: OWNER_ONLY_FOLDER });
  await mkdir(unfinished, { mode: OWNER_ONLY_FOLDER });
  try {
    // The list first: what is deleted after this is in neither, or in the database's own table alone.
    for (const [from, name] of filesBeside(request)) {
      if (existsSync(from)) await copyFile(from, join(unfinished, name));
    }
    const { blockedMs } = await copyDatabase(join(unfinished, 'database'));
    const { files } = await writeManifest(unfinished, { now, schema: SCHEMA_VERSION });
    await rename(unfinished, folder);
    const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
    return { folder, files: Object.keys(files).length, bytes, blockedMs };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The same of a folder that no process uses. @throws DataFolderInUseError, BackupError */
export async function backUpFolder(request: BackupRequest, now: number): Promise<BackupResult> {
  const database = join(request.dataFolder, 'database');
  if (!existsSync(database)) {
    throw new BackupError(`There is no database in ${request.dataFolder} yet: check ANNALS_DATA_DIR.`);
  }
  const lock = acquireDataFolderLock(request.dataFolder);
  try {
    return await writeBackup(request, now, async (to) => {
      await copyFolder(database, to);
      return { blockedMs: 0 };
    });
  } finally {
    lock.release();
  }
}

function filesBeside({
  dataFolder,
  withKeys,
  deletionsFile,
}: BackupRequest): (readonly [from: string, name: string])[] {
  const keys = withKeys ? KEY_FILES.map((name) => [join(dataFolder, name), name] as const) : [];
  return [...keys, [deletionsFile, DELETIONS_FILE]];
}

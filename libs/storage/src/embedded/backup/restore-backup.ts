import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireDataFolderLock } from '../data-folder-lock.js';
import { copyFolder } from './copy-files.js';
import { BackupError, type Manifest, verifyManifest } from './manifest.js';
import { DELETIONS_FILE } from './write-backup.js';

export interface RestoredBackup {
  readonly manifest: Manifest;
  /** Where the database is that was there before; null without one. */
  readonly replaced: string | null;
}

/**
 * Puts the database of a backup into a data folder that no process uses. What was there is set aside. Keys and the list
 * of deletions are taken from the backup only where the folder has none. `now`: epoch ms.
 * @throws BackupError, DataFolderInUseError
 */
export async function restoreBackup(
  { backup, dataFolder }: { readonly backup: string; readonly dataFolder: string },
  now: number,
): Promise<RestoredBackup> {
  const manifest = await verifyManifest(backup);
  const lock = acquireDataFolderLock(dataFolder);
  try {
    await chmod(dataFolder, 0o700);
    assertSameKey(backup, dataFolder);
    const [database, unfinished] = [join(dataFolder, 'database'), join(dataFolder, 'database.restoring')];
    await rm(unfinished, { recursive: true, force: true });
    await copyFolder(join(backup, 'database'), unfinished);
    for (const name of ['secret.key', 'bootstrap-key', DELETIONS_FILE]) {
      const [from, to] = [join(backup, name), join(dataFolder, name)];
      if (existsSync(from) && !existsSync(to)) await copyFile(from, to);
    }
    const aside = `${database}.before-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
    const replaced = existsSync(database) ? aside : null;
    if (replaced !== null) await rename(database, replaced);
    await rename(unfinished, database);
    return { manifest, replaced };
  } finally {
    lock.release();
  }
}

/** The history of another key could not be continued. */
function assertSameKey(backup: string, dataFolder: string): void {
  const [stored, own] = [join(backup, 'secret.key'), join(dataFolder, 'secret.key')];
  if (!existsSync(stored) || !existsSync(own)) return;
  if (readFileSync(stored, 'utf8').trim() !== readFileSync(own, 'utf8').trim()) {
    throw new BackupError(
      `${dataFolder} has another secret key than the backup: it is another installation. Restore into an empty folder (ANNALS_DATA_DIR).`,
    );
  }
}

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK_FILE = 'annals.lock';
const SQLITE_BUSY = 5;

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  constructor(folder: string) {
    super(
      `The data folder ${folder} is in use by another Annals process. Stop that process, or choose another folder.`,
    );
  }
}

export class DataFolderUnusableError extends Error {
  override readonly name = 'DataFolderUnusableError';
  constructor(folder: string, reason: unknown) {
    const code = (reason as { code?: unknown }).code;
    super(
      `The data folder ${folder} cannot be written (${typeof code === 'string' ? code : 'unknown'}). ` +
        'Give this user write permission for it, or set ANNALS_DATA_DIR to another folder.',
      { cause: reason },
    );
  }
}

export interface DataFolderLock {
  release(): void;
}

/**
 * Makes sure that one process at a time uses a data folder. An open SQLite transaction is a lock of the operating
 * system, which is released with its process however that ends, so there is never a stale lock to clean up. Creates the
 * folder. Throws {@link DataFolderInUseError} and {@link DataFolderUnusableError}.
 */
export function acquireDataFolderLock(folder: string): DataFolderLock {
  const file = createLockFile(folder);
  const database = new DatabaseSync(file);
  try {
    // A journal in memory creates no second file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) throw new DataFolderInUseError(folder);
    throw error;
  }
  return { release: () => database.close() };
}

function createLockFile(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, LOCK_FILE);
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
    return file;
  } catch (error) {
    throw new DataFolderUnusableError(folder, error);
  }
}

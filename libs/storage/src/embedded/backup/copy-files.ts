import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';

const OWNER_ONLY_FOLDER = 0o700;
/**
 * Files at a time. The database runs on this thread, so the answer about each file waits for its turn of the event loop:
 * with few at a time, a thousand files took minutes beside a busy database.
 */
const CONCURRENCY = 64;
/** File systems date changes by a clock that is a little behind, some of them by whole seconds. */
const DATE_SLACK_MS = 2_000;
/** What sorts have written aside: not part of the database. */
const TEMPORARY = /(^|\/)pgsql_tmp(\/|$)/;

interface FileState {
  readonly bytes: number;
  readonly changedAt: number;
}

/** Files below a folder by their path in it. Those that vanish meanwhile are left out. */
export async function listFiles(folder: string): Promise<Map<string, FileState>> {
  const files = new Map<string, FileState>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await eachFile(entries, async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (TEMPORARY.test(name) || !entry.isFile()) return;
    const found = await lstat(path).catch(ignoreMissing);
    if (found) files.set(name, { bytes: found.size, changedAt: found.mtimeMs });
  });
  return files;
}

/** Copies a folder that nobody writes to, empty folders included: PostgreSQL needs them. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await copyFolders(from, to);
  await copyAll(from, to, [...(await listFiles(from)).keys()]);
}

/**
 * Copies a folder while somebody writes to it, up to the files that `finish` brings up to date: those that have changed
 * since. `now`: epoch ms before the copy. Call `finish` while nobody writes.
 */
export async function copyWrittenFolder(
  from: string,
  to: string,
  now: number,
): Promise<{ finish: () => Promise<{ readonly again: number }> }> {
  await copyFolders(from, to);
  const before = await listFiles(from);
  await copyAll(from, to, [...before.keys()]);
  const finish = async () => {
    await copyFolders(from, to);
    const after = await listFiles(from);
    const changed = [...after].filter(([name, { bytes, changedAt }]) => {
      const copied = before.get(name);
      return copied?.bytes !== bytes || copied.changedAt !== changedAt || changedAt > now - DATE_SLACK_MS;
    });
    await copyAll(
      from,
      to,
      changed.map(([name]) => name),
    );
    for (const name of before.keys()) if (!after.has(name)) await rm(join(to, name), { force: true });
    return { again: changed.length };
  };
  return { finish };
}

async function copyFolders(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: OWNER_ONLY_FOLDER });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const name = relative(from, join(entry.parentPath, entry.name));
    if (entry.isDirectory() && !TEMPORARY.test(name)) {
      await mkdir(join(to, name), { recursive: true, mode: OWNER_ONLY_FOLDER });
    }
  }
}

function copyAll(from: string, to: string, names: readonly string[]): Promise<void> {
  // Shares the blocks where the file system can.
  return eachFile(names, (name) =>
    copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE).catch(ignoreMissing),
  );
}

/** Runs work for each of many files, several at a time. */
export async function eachFile<T>(files: readonly T[], work: (file: T) => Promise<void>): Promise<void> {
  const queue = [...files];
  const workNext = async () => {
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) await work(file);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, workNext));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

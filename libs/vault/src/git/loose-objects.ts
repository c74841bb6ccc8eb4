import { createHash } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { mapFiles } from '../files/batches.js';
import { gitPath, listBelow, readIfThere } from './git-folder.js';

const inflateBytes = promisify(inflate);
const LOOSE = /(?<![^/\\])([0-9a-f]{2})[/\\]([0-9a-f]{38})$/;

/**
 * Removes files of objects that a power loss emptied, and what killed processes left of objects they were writing.
 * Returns how many objects were empty.
 */
export async function removeEmptyObjects(folder: string, isAfterKill: boolean): Promise<number> {
  const objects = gitPath(folder, 'objects');
  const files = (await listBelow(objects)).filter((file) => !path.relative(objects, file).startsWith('info'));
  const removed = await mapFiles(folder, files, async (file) => {
    const isTemporary = path.basename(file).startsWith('tmp_');
    if (isTemporary ? !isAfterKill : ((await lstat(file).catch(() => null))?.size ?? 1) > 0) return false;
    // Marks of packs are empty on purpose.
    if (/\.(keep|promisor|mtimes)$/.test(file)) return false;
    await rm(file, { force: true });
    return !isTemporary;
  });
  return removed.filter(Boolean).length;
}

/** Removes loose objects whose bytes are not those that they are named after. Returns how many there were. */
export async function removeTornObjects(folder: string): Promise<number> {
  const loose = (await listBelow(gitPath(folder, 'objects'))).filter((file) => LOOSE.test(file));
  const removed = await mapFiles(folder, loose, async (file) => {
    const [, start, rest] = LOOSE.exec(file)!;
    if (await isWhole(file, `${start}${rest}`)) return false;
    await rm(file, { force: true });
    return true;
  });
  return removed.filter(Boolean).length;
}

async function isWhole(file: string, id: string): Promise<boolean> {
  const bytes = await readIfThere(file);
  try {
    return bytes !== null && hashObject(await inflateBytes(bytes)) === id;
  } catch {
    return false;
  }
}

function hashObject(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

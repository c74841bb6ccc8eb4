import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, inflateSync } from 'node:zlib';

const run = promisify(execFile);
const MAX_OUTPUT = 512 * 1024 * 1024;

/**
 * Where these bytes still are in a folder of the vault, its repository included: in a file as it is, in a compressed
 * object or pack (each compressed part is unpacked, also in packs that Git no longer knows), in an object that Git
 * rebuilds from deltas, or in a name. Empty when they are nowhere.
 */
export async function findInVault(folder: string, wanted: string | Buffer): Promise<string[]> {
  const needle = Buffer.from(wanted);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => path.join(entry.parentPath, entry.name));
  const found = names.filter((name) => Buffer.from(path.relative(folder, name)).includes(needle));
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(place);
    if (bytes.includes(needle)) found.push(place);
    else if (place.includes(`${path.sep}.git${path.sep}`) && inflateParts(bytes).some((part) => part.includes(needle)))
      found.push(`${place} (compressed)`);
  }
  const objects = await readAllObjects(folder);
  if (objects.includes(needle)) found.push('an object of Git');
  return found;
}

/** Everything in these bytes that unpacks as a stream of zlib, wherever it begins. */
function inflateParts(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(0x78); at >= 0; at = bytes.indexOf(0x78, at + 1)) {
    if (at + 1 < bytes.length && bytes.readUInt16BE(at) % 31 !== 0) continue;
    try {
      parts.push(inflateSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH }));
    } catch {
      // No stream begins here.
    }
  }
  return parts;
}

/** All objects that Git finds, reachable or not, whole. */
async function readAllObjects(folder: string): Promise<Buffer> {
  const args = ['-c', 'safe.directory=*', 'cat-file', '--batch-all-objects', '--batch', '--unordered'];
  const { stdout } = await run('git', args, { cwd: folder, encoding: 'buffer', maxBuffer: MAX_OUTPUT });
  return stdout;
}

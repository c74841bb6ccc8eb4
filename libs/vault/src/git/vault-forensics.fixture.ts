import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, inflateSync } from 'node:zlib';

const run = promisify(execFile);
const MAX_OUTPUT = 512 * 1024 * 1024;

/**
 * Where these bytes, or any of these texts, still are in a folder of the vault, its repository included: in a file as it is, in a compressed
 * object or pack (each compressed part is unpacked, also in packs that Git no longer knows), in an object that Git
 * rebuilds from deltas, or in a name. Empty when they are nowhere.
 */
export async function findInVault(folder: string, wanted: string | Buffer | readonly string[]): Promise<string[]> {
  const needles = (typeof wanted === 'string' || Buffer.isBuffer(wanted) ? [wanted] : wanted).map((each) =>
    Buffer.from(each),
  );
  const has = (bytes: Buffer) => needles.some((needle) => bytes.includes(needle));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => path.join(entry.parentPath, entry.name));
  const found = names.filter((name) => has(Buffer.from(path.relative(folder, name))));
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(place);
    if (has(bytes)) found.push(place);
    else if (place.includes(`${path.sep}.git${path.sep}`) && inflateParts(bytes).some(has))
      found.push(`${place} (compressed)`);
  }
  const objects = await readAllObjects(folder);
  if (has(objects)) found.push('an object of Git');
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

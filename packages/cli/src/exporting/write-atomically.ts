import { createWriteStream } from 'node:fs';
import { mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../failure.js';

/**
 * Writes a file as a whole or not at all: what was there before stays until all is written. A link stays a link. Throws
 * `Failure` when the file cannot be written.
 */
export async function writeAtomically(file: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  const facts = await stat(file).catch(() => null);
  if (facts && !facts.isFile()) {
    throw new Failure(`${file} is no file: give another path with --out, or leave it out for the standard output.`);
  }
  try {
    const target = facts ? await realpath(file) : file;
    // A folder of its own beside the target: no other file has the name of what is written first.
    const folder = await mkdtemp(`${target}.part-`);
    try {
      const temporary = path.join(folder, path.basename(target));
      await pipeline(Readable.from(chunks), createWriteStream(temporary));
      await rename(temporary, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new Failure(`${file} cannot be written (${code}): give another path with --out.`, 2, { cause: error });
  }
}

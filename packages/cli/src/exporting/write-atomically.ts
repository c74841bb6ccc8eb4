import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../failure.js';

/** Writes a file as a whole or not at all: what was there before stays until all is written. */
export async function writeAtomically(file: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
  const temporary = `${file}.part`;
  try {
    await pipeline(Readable.from(chunks), createWriteStream(temporary));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error;
    throw new Failure(`${file} cannot be written (${code}): give another path with --out.`, 2, { cause: error });
  }
}

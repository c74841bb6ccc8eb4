import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Failure } from '../failure.js';
import { type Bytes, countBytes, type Input, type OnBytes } from './input.js';
import { openZip } from './open-zip.js';

const BEGINNING_BYTES = 1_048_576;
const ZIP_SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1');

export async function openInput(file: string): Promise<Input> {
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code ?? error.message}): give the path of an export.`);
  });
  if (!facts.isFile()) throw new Failure(`${file} is no file: give the path of an export.`);
  const beginning = await readBeginning(file);
  const fingerprint = createHash('sha256').update(`${facts.size}\n${facts.mtimeMs}\n`).update(beginning).digest('hex');
  if (beginning.subarray(0, ZIP_SIGNATURE.length).equals(ZIP_SIGNATURE)) {
    return { ...(await openZip(file)), fingerprint };
  }
  return { bytes: facts.size, fingerprint, parts: (onBytes) => readPlain(file, onBytes) };
}

async function readBeginning(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// One part: the file.
async function* readPlain(file: string, onBytes: OnBytes | undefined): AsyncGenerator<Bytes> {
  yield countBytes(createReadStream(file), onBytes);
}

import { PassThrough, pipeline } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { Failure } from '../failure.js';
import { type Bytes, countBytes, type Input, type OnBytes } from './input.js';

/** The conversations in the archives of OpenAI and Anthropic; long ones are divided into numbered files. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

export async function openZip(file: string): Promise<Omit<Input, 'fingerprint'>> {
  const entries = (await listEntries(file)).filter(({ fileName }) => CONVERSATIONS.test(fileName));
  if (entries.length === 0) {
    throw new Failure(`${file} has no conversations.json: give the archive of an export of OpenAI or Claude.`);
  }
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  return { bytes, parts: (onBytes) => readEntries(file, onBytes) };
}

async function* readEntries(file: string, onBytes: OnBytes | undefined): AsyncGenerator<Bytes> {
  const zip = await open(file);
  try {
    for (const entry of await collect(zip, file)) {
      if (CONVERSATIONS.test(entry.fileName)) yield countBytes(readEntry(zip, entry, file), onBytes);
    }
  } finally {
    zip.close();
  }
}

async function* readEntry(zip: ZipFile, entry: Entry, file: string): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    throw new Failure(`${file} is encrypted: unpack it, and give the conversations.json that it has.`);
  }
  try {
    const content = new PassThrough();
    // Listens from the beginning: an error that nobody listens to would end the process.
    pipeline(await zip.openReadStreamPromise(entry), content, () => undefined);
    yield* content as AsyncIterable<Buffer>;
  } catch (error) {
    throw damaged(file, error);
  }
}

async function listEntries(file: string): Promise<Entry[]> {
  const zip = await open(file);
  try {
    return await collect(zip, file);
  } finally {
    zip.close();
  }
}

/** In the order of their names, so that a part has the same place each time. */
async function collect(zip: ZipFile, file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw damaged(file, error);
  }
  return entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

async function open(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw damaged(file, error);
  }
}

function damaged(file: string, cause: unknown): Failure {
  const { message } = cause as Error;
  return new Failure(`${file} is no complete archive (${message}): download the export again.`, 2, { cause });
}

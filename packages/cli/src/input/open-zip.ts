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
    for (const entry of await collect(zip)) {
      if (!CONVERSATIONS.test(entry.fileName)) continue;
      yield countBytes(await zip.openReadStreamPromise(entry), onBytes);
    }
  } finally {
    zip.close();
  }
}

async function listEntries(file: string): Promise<Entry[]> {
  const zip = await open(file);
  try {
    return await collect(zip);
  } finally {
    zip.close();
  }
}

/** In the order of their names, so that a part has the same place each time. */
async function collect(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

async function open(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw new Failure(`${file} is no complete archive (${(error as Error).message}): download the export again.`);
  }
}

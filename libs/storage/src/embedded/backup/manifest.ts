import { parseJson } from '@annals/domain';
import { createHash } from 'node:crypto';
import { chmod, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { eachFile, listFiles } from './copy-files.js';

const MANIFEST = 'manifest.json';
const FORMAT = 'annals.backup.v1';
const OWNER_ONLY_FILE = 0o600;

/** The folder is no backup, or not all of one. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  created_at: z.string(),
  schema: z.number(),
  files: z.record(z.string(), z.strictObject({ bytes: z.number(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;
type FileSum = Manifest['files'][string];

/** Completes a backup: flushes its files to disk, makes them their owner's alone, and lists them with their checksums. */
export async function writeManifest(
  folder: string,
  { now, schema }: { readonly now: number; readonly schema: number },
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  const names = [...(await listFiles(folder)).keys()].toSorted();
  const sums = new Map<string, FileSum>();
  await eachFile(names, async (name) => {
    await chmod(join(folder, name), OWNER_ONLY_FILE);
    sums.set(name, await readChecksum(join(folder, name), { flush: true }));
  });
  for (const name of names) files[name] = sums.get(name)!;
  const manifest: Manifest = { format: FORMAT, created_at: new Date(now).toISOString(), schema, files };
  const handle = await open(join(folder, MANIFEST), 'wx', OWNER_ONLY_FILE);
  try {
    await handle.writeFile(JSON.stringify(manifest, null, 1));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return manifest;
}

/** The manifest of a backup, after every file was compared with it. @throws BackupError */
export async function verifyManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const found = await listFiles(folder);
  found.delete(MANIFEST);
  await eachFile(Object.entries(manifest.files), async ([name, { bytes, sha256 }]) => {
    if (!found.delete(name)) throw new BackupError(`The backup ${folder} lacks ${name}: use another one.`);
    const actual = await readChecksum(join(folder, name), { flush: false });
    if (actual.bytes !== bytes || actual.sha256 !== sha256) {
      throw new BackupError(`${name} in the backup ${folder} was changed since: use another one.`);
    }
  });
  const [foreign] = found.keys();
  if (foreign !== undefined) {
    throw new BackupError(`${foreign} is not part of the backup ${folder}: remove it, or use another backup.`);
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  const parsed = manifestSchema.safeParse(text === null ? null : parseJson(text));
  if (parsed.success) return parsed.data;
  throw new BackupError(`${folder} is no backup of Annals: name the folder that npm run backup printed.`);
}

/** Reads in pieces, however large the file is. */
async function readChecksum(file: string, { flush }: { readonly flush: boolean }): Promise<FileSum> {
  const handle = await open(file, flush ? 'r+' : 'r');
  try {
    const digest = createHash('sha256');
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
    }
    if (flush) await handle.sync();
    return { bytes, sha256: digest.digest('hex') };
  } finally {
    await handle.close();
  }
}

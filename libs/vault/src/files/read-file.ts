import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { readErrorCode, toVaultError } from '../unavailable.js';
import { mapFiles } from './batches.js';
import { type FileStamp, isSameStamp, toStamp } from './file-stamp.js';
import { FolderGuard } from './folder-guard.js';

/** 64 KiB of text, and 16 KiB of front matter. */
export const MAX_VAULT_FILE_BYTES = 81_920;

/**
 * `missing`: nothing is there. `refused`: a link, a folder or another thing that is no regular file, or a link on the way
 * to it. `forbidden`: this process may not read it. `too_large`: more than `MAX_VAULT_FILE_BYTES`. `not_text`: no valid UTF-8. `changing`: written to meanwhile, so
 * read it again later.
 */
export type ReadProblem = 'missing' | 'refused' | 'forbidden' | 'too_large' | 'not_text' | 'changing';

export type ReadResult =
  | { readonly outcome: 'read'; readonly text: string; readonly hash: string; readonly stamp: FileStamp }
  | { readonly outcome: ReadProblem };

export type BytesResult =
  { readonly outcome: 'read'; readonly bytes: Buffer; readonly stamp: FileStamp } | { readonly outcome: ReadProblem };

// Not waiting for a writer, should it be a named pipe.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const LINK_CODES = ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR', 'ENOTDIR'];

/**
 * Reads a file of the vault as text. A byte order mark stays part of the text; `hash` is the SHA-256 of its bytes (hex).
 * @throws {VaultUnavailableError | VaultPathError}
 */
export async function readVaultFile(folder: string, relativePath: string): Promise<ReadResult> {
  const [result] = await readVaultFiles(folder, [relativePath]);
  return result!;
}

/** As `readVaultFile`, for many; results in the order of `relativePaths`. */
export function readVaultFiles(folder: string, relativePaths: readonly string[]): Promise<ReadResult[]> {
  const guard = new FolderGuard(folder);
  return mapFiles(folder, relativePaths, async (relativePath) => decode(await readPermitted(guard, relativePath)));
}

/** One file that others keep from this process is no fault of the disk. */
async function readPermitted(guard: FolderGuard, relativePath: string): Promise<BytesResult> {
  try {
    return await readBytes(guard, relativePath, MAX_VAULT_FILE_BYTES);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'EACCES' || code === 'EPERM') return { outcome: 'forbidden' };
    throw error;
  }
}

/** The bytes of a regular file of at most `maxBytes`. Throws what the file system throws, except that it is missing. */
export async function readBytes(guard: FolderGuard, relativePath: string, maxBytes: number): Promise<BytesResult> {
  const place = guard.resolve(relativePath);
  const parent = await guard.checkParent(relativePath);
  if (parent !== 'folder') return { outcome: parent };
  const file = await openToRead(place);
  if (typeof file === 'string') return { outcome: file };
  try {
    return await readOpen(file, maxBytes);
  } finally {
    await file.close();
  }
}

/** Opens what is no link, without waiting; the caller asks whether it is a regular file. */
export async function openToRead(place: string): Promise<FileHandle | 'missing' | 'refused'> {
  try {
    return await open(place, FLAGS);
  } catch (error) {
    const code = readErrorCode(error) ?? '';
    if (code === 'ENOENT') return 'missing';
    if (LINK_CODES.includes(code)) return 'refused';
    throw error;
  }
}

async function readOpen(file: FileHandle, maxBytes: number): Promise<BytesResult> {
  const before = await file.stat();
  if (!before.isFile()) return { outcome: 'refused' };
  if (before.size > maxBytes) return { outcome: 'too_large' };
  const bytes = Buffer.alloc(before.size);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const stamp = toStamp(await file.stat());
  if (length < bytes.length || !isSameStamp(toStamp(before), stamp)) return { outcome: 'changing' };
  return { outcome: 'read', bytes, stamp };
}

function decode(result: BytesResult): ReadResult {
  if (result.outcome !== 'read') return result;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(result.bytes);
    return { outcome: 'read', text, hash: hashText(result.bytes), stamp: result.stamp };
  } catch {
    return { outcome: 'not_text' };
  }
}

/** SHA-256 in hex, as `readVaultFile` returns it and `writeFileAtomically` compares it. */
export function hashText(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Files of Annals' own: the snapshot index of a user with a million items. */
const MAX_WHOLE_BYTES = 1_073_741_824;

/** The text of a file that Annals wrote; null when it is missing, is no regular file or no text. */
export async function readWholeFile(folder: string, relativePath: string): Promise<string | null> {
  try {
    const found = decode(await readBytes(new FolderGuard(folder), relativePath, MAX_WHOLE_BYTES));
    return found.outcome === 'read' ? found.text : null;
  } catch (error) {
    throw toVaultError(error, folder);
  }
}

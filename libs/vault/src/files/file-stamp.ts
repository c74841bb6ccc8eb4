import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { readErrorCode } from '../unavailable.js';

/** What tells whether a file is still the one that was read or written: an editor changes at least one of these. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** Of the last change of its content; milliseconds since the Unix epoch, with fractions. */
  readonly mtimeMs: number;
  /** Number of the file in its file system; another one after a file was replaced. */
  readonly ino: number;
}

export function toStamp({ size, mtimeMs, ino }: Stats): FileStamp {
  return { size, mtimeMs, ino };
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino;
}

/** The stamp of a regular file, `null` when nothing is there, `refused` for a link, a folder and all else. */
export async function readStamp(place: string): Promise<FileStamp | null | 'refused'> {
  try {
    const found = await lstat(place);
    return found.isFile() ? toStamp(found) : 'refused';
  } catch (error) {
    const code = readErrorCode(error);
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR') return 'refused';
    throw error;
  }
}

import { byteLength } from './lines.js';

/** A line that is a memory. */
export interface MemoryLine {
  readonly id: string;
  /** Of the file: no other one states it, nor did a conversation, so it goes with its line. */
  readonly own: boolean;
  /** When the line was written: who changes the memory later wants it, with or without its line. */
  readonly revision: number;
  readonly before?: string;
  readonly after?: string;
  /** Bytes of the whole line, as it was written. */
  readonly size: number;
}

export type StoredLine = MemoryLine | string;

/** How a memory stands in its line. */
export type Place = Pick<MemoryLine, 'before' | 'after' | 'size'>;

/** A memory whose line is gone: it is deleted unless somebody has changed it since. */
export interface RemovedMemory {
  readonly id: string;
  readonly revision: number;
}

/** The files of a user: which memories are their lines, and nothing of what these say. */
export interface Layout {
  readonly files: ReadonlyMap<string, readonly StoredLine[]>;
  readonly removed: readonly RemovedMemory[];
}

const FORMAT = 'annals-memory-files/1';

export const NO_FILES: Layout = { files: new Map(), removed: [] };

/** As it is saved in a checkpoint. */
export function toData({ files, removed }: Layout): object {
  return { format: FORMAT, files: Object.fromEntries(files), removed };
}

/** Throws if a program has saved something else there. */
export function fromData(data: unknown, thread: string): Layout {
  const saved = data as { format?: string; files: Record<string, StoredLine[]>; removed: RemovedMemory[] } | null;
  if (saved?.format !== FORMAT)
    throw new Error(
      `The checkpoint "${thread}" of this user holds something else than memory files: give another thread.`,
    );
  return { files: new Map(Object.entries(saved.files)), removed: saved.removed };
}

/** Whatever the order in which a server gives back the fields of an object. */
export function isSameLayout(one: Layout, other: Layout): boolean {
  return JSON.stringify(toData(one), sortFields) === JSON.stringify(toData(other), sortFields);
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function isMemory(line: StoredLine): line is MemoryLine {
  return typeof line !== 'string';
}

/** Bytes of a file, as it was written. */
export function fileSize(lines: readonly StoredLine[]): number {
  const sizes = lines.map((line) => (isMemory(line) ? line.size : byteLength(line)));
  return sizes.reduce((sum, size) => sum + size, Math.max(0, lines.length - 1));
}

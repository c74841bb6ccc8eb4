import { ENTRIES_FOLDER } from '@annals/domain';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readErrorCode } from '../unavailable.js';
import type { FolderWatch, WatchFolder } from './watch-folder.js';

/** Folders between the root of the vault and those that belong to one user. */
export const USER_DEPTH = 2;

const TENANT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const USER = /^[^.].*~[0-9a-f]{12}$/;
const GONE_CODES = ['ENOENT', 'ENOTDIR'];
/** No further folder can be watched: fs.inotify.max_user_watches and max_user_instances, open files, memory. */
const FULL_CODES = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'];

/** A folder that is watched, with those in it. */
export interface WatchedFolder {
  readonly name: string;
  readonly parent: WatchedFolder | null;
  /** Of the root: 0. */
  readonly depth: number;
  readonly children: Map<string, WatchedFolder>;
  /** Null: it could not be watched. */
  watch: FolderWatch | null;
  isClosed: boolean;
}

export interface TreeOptions {
  readonly watchFolder: WatchFolder;
  /** Something of this name changed in a folder; null: it is not known what. */
  readonly onEvent: (folder: WatchedFolder, name: string | null) => void;
  /** There is a file in a folder that is new. */
  readonly onFile: (folder: WatchedFolder, name: string) => Promise<void>;
  /** The folder of a user is watched, as all in it. */
  readonly onUser: (user: WatchedFolder) => Promise<void>;
  /** A folder cannot be watched; null: as one before it. */
  readonly onUnwatched: (folder: WatchedFolder, error: unknown) => void;
}

/** Whether what changes under this name, in a folder of this depth, can be of the vault. */
export function isOfVault(depth: number, name: string): boolean {
  if (depth === 0) return TENANT.test(name);
  if (depth === 1) return USER.test(name);
  if (depth === USER_DEPTH) return name === ENTRIES_FOLDER;
  // As files are listed: neither what is being written, nor what programs keep for themselves.
  return !name.startsWith('.');
}

/** `<tenant>/<user>` of a folder in or below that of a user, and the path in it. */
export function splitPlace(folder: WatchedFolder, name: string): { readonly user: string; readonly path: string } {
  const parts = [...partsOf(folder), name];
  return { user: parts.slice(0, USER_DEPTH).join('/'), path: parts.slice(USER_DEPTH).join('/') };
}

/** Names from the root, which is left out. */
function partsOf(folder: WatchedFolder): string[] {
  return folder.parent === null ? [] : [...partsOf(folder.parent), folder.name];
}

/**
 * The watches of a vault, one for each folder: what is known of files is in the index of their user. Several calls may run at a
 * time; each leaves alone what another one has closed.
 */
export class WatchedTree {
  readonly top: WatchedFolder;
  private count = 0;
  /** Another folder cannot be watched either, until `retry`. */
  private isFull = false;

  constructor(
    private readonly root: string,
    private readonly options: TreeOptions,
  ) {
    this.top = { name: basename(root), parent: null, depth: 0, children: new Map(), watch: null, isClosed: false };
  }

  /** Folders that are watched. */
  get size(): number {
    return this.count;
  }

  placeOf(folder: WatchedFolder): string {
    return join(this.root, ...partsOf(folder));
  }

  /** Lets folders be watched for which there was no room. */
  retry(): void {
    this.isFull = false;
  }

  /** Watches a folder of a watched one. `isNew`: whatever is in it may be a change. */
  async enter(parent: WatchedFolder, name: string, isNew: boolean): Promise<void> {
    if (parent.isClosed) return;
    let folder = parent.children.get(name);
    if (folder === undefined) {
      folder = { name, parent, depth: parent.depth + 1, children: new Map(), watch: null, isClosed: false };
      parent.children.set(name, folder);
    }
    await this.refresh(folder, isNew);
  }

  /** Watches a folder that is there, and those in it; leaves those that are gone. */
  async refresh(folder: WatchedFolder, isNew = false): Promise<void> {
    if (folder.isClosed) return;
    this.watch(folder);
    // Behind the watch: what comes later is an event.
    const entries = await this.read(folder);
    if (entries === null) return;
    const folders = new Set(entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])));
    for (const [name, child] of folder.children) if (!folders.has(name)) this.leave(child);
    for (const { name } of entries) {
      if (folder.isClosed) return;
      if (!isOfVault(folder.depth, name)) continue;
      if (folders.has(name)) await this.enter(folder, name, isNew);
      else if (isNew && folder.depth > USER_DEPTH) await this.options.onFile(folder, name);
    }
    if (folder.depth === USER_DEPTH && !folder.isClosed) await this.options.onUser(folder);
  }

  /** Ends the watches of a folder and of those in it. */
  leave(folder: WatchedFolder): void {
    if (folder.isClosed) return;
    folder.isClosed = true;
    if (folder.watch !== null) this.count -= 1;
    folder.watch?.close();
    folder.watch = null;
    for (const child of folder.children.values()) this.leave(child);
    folder.parent?.children.delete(folder.name);
  }

  private watch(folder: WatchedFolder): void {
    if (folder.watch !== null) return;
    const { watchFolder, onEvent, onUnwatched } = this.options;
    if (this.isFull) return onUnwatched(folder, null);
    const fail = (error: unknown) => {
      folder.watch?.close();
      if (folder.watch !== null) this.count -= 1;
      folder.watch = null;
      // Who removes it is told by the folder that contains it.
      if (folder.isClosed || GONE_CODES.includes(readErrorCode(error) ?? '')) return;
      if (FULL_CODES.includes(readErrorCode(error) ?? '')) this.isFull = true;
      onUnwatched(folder, error);
    };
    try {
      folder.watch = watchFolder(this.placeOf(folder), (name) => onEvent(folder, name), fail);
      this.count += 1;
    } catch (error) {
      fail(error);
    }
  }

  /** What is in a folder; null when it is gone or cannot be read. */
  private async read(folder: WatchedFolder): Promise<Dirent[] | null> {
    try {
      return await readdir(this.placeOf(folder), { withFileTypes: true });
    } catch (error) {
      if (GONE_CODES.includes(readErrorCode(error) ?? '')) this.leave(folder);
      else this.options.onUnwatched(folder, error);
      return null;
    }
  }
}

import { renderVaultFile, type VaultFile, type VaultItem } from '@annals/domain';
import { join } from 'node:path';
import { mapFiles } from '../files/batches.js';
import { type FileStamp, isSameStamp, readStamp } from '../files/file-stamp.js';
import type { OwnChanges } from '../files/own-changes.js';
import { pruneEmptyFolders, removeFiles } from '../files/remove-file.js';
import { type FileWrite, writeFiles } from '../files/write-file.js';
import type { VaultChange } from '../git/commit.js';
import { isNamedAfterItem } from './kept-by.js';
import { readDiskFile, setAside } from './disk-file.js';
import type { IndexedItem, VaultIndex } from './vault-index.js';

/** Of no file: what is there is not known. */
const UNKNOWN_STAMP: FileStamp = { size: -1, mtimeMs: 0, ino: 0 };
/** Tries of a file that somebody goes on changing. */
const MAX_TRIES = 3;

/** What a run did to files. */
export interface VaultCounts {
  written: number;
  removed: number;
  /** Changes of others that were kept beside the file. */
  conflicts: number;
  /** Files that could not be written, because a link or a folder is in their place. */
  refused: number;
}

type Marked = VaultItem & { readonly mark: string };
interface Rendered extends VaultFile {
  readonly id: string;
  readonly mark: string;
  readonly hasLostWords: boolean;
}

/** Writes files of items, and notes in the index what they are. Nothing that somebody else wrote is lost. */
export class VaultWriter {
  readonly counts: VaultCounts = { written: 0, removed: 0, conflicts: 0, refused: 0 };
  private changes: VaultChange[] = [];

  constructor(
    private readonly folder: string,
    private readonly index: VaultIndex,
    /** What the last commit has, by path, when the index does not know what is in the folder; else empty. */
    private readonly committed: ReadonlyMap<string, string>,
    /** Notes what is written and removed. */
    private readonly own?: OwnChanges,
  ) {}

  /** Files that are to be committed since the last call. */
  takeChanges(): VaultChange[] {
    const taken = this.changes;
    this.changes = [];
    return taken;
  }

  get waiting(): number {
    return this.changes.length;
  }

  /** Has everything committed that the last commit, which has these files, has not as it is. */
  recommit(committed: ReadonlyMap<string, string>): void {
    for (const [, { path, blob }] of this.index.entries())
      if (committed.get(path) !== blob) this.changes.push({ path, action: 'put', blob });
    // Removed, unless something is there still that was kept beside a file.
    for (const path of committed.keys())
      if (isNamedAfterItem(path) && this.index.findAt(path) === undefined) this.changes.push({ path, action: 'put' });
  }

  /** `conversations`: of messages and summaries, by their ids. */
  async write(
    items: readonly Marked[],
    kind: IndexedItem['kind'],
    conversations: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const rendered = items.map((item): Rendered => ({
      ...renderVaultFile(item),
      id: item.id,
      mark: item.mark,
      hasLostWords: 'forgottenAt' in item && item.forgottenAt !== null,
    }));
    const toIndexed = (file: Rendered, stamp: FileStamp | null): IndexedItem => ({
      path: file.path,
      blob: file.blob,
      mark: file.mark,
      kind,
      ...(conversations.has(file.id) ? { conversation: conversations.get(file.id)! } : {}),
      ...(file.hasLostWords ? { hasLostWords: true } : {}),
      stamp,
    });
    const changed: Rendered[] = [];
    for (const file of rendered) {
      const former = this.index.find(file.id);
      const isThere = former?.path === file.path && former.blob === file.blob && !this.index.isStale(former);
      if (isThere && former.stamp !== null) {
        this.index.put(file.id, toIndexed(file, former.stamp));
      } else {
        changed.push(file);
      }
    }
    if (changed.length === 0) return;
    const moving = changed.flatMap(({ id, path }) => this.index.find(id)?.path ?? path);
    await this.index.noteWriting(
      changed,
      moving.filter((path, at) => path !== changed[at]!.path),
    );
    const stamps = await this.put(changed);
    const left: { path: string; stamp: FileStamp | null; keptFor: string }[] = [];
    for (const [at, file] of changed.entries()) {
      const stamp = stamps[at]!;
      const former = this.index.find(file.id);
      if (former && former.path !== file.path && this.index.findAt(former.path)?.id === file.id) {
        left.push({ path: former.path, stamp: former.stamp, keptFor: file.path });
      }
      this.index.put(file.id, toIndexed(file, stamp));
      if (stamp === null) this.counts.refused += 1;
      else this.note({ path: file.path, action: 'put', blob: file.blob });
    }
    // A place that one item leaves and another one takes was written already.
    const isLeft = ({ path }: { readonly path: string }) =>
      this.index.findAt(path) === undefined && this.index.edits.others[path]?.keptFor === undefined;
    await this.leave(left.filter(isLeft));
  }

  /** Removes the files of items that are gone for good, whatever somebody made of them. */
  async remove(ids: readonly string[]): Promise<void> {
    const paths = ids.flatMap((id) => {
      const path = this.index.find(id)?.path;
      const isOwn = path !== undefined && this.index.findAt(path)?.id === id;
      this.index.delete(id);
      return isOwn ? [path] : [];
    });
    if (paths.length > 0) await this.index.noteWriting([], paths);
    await this.removePaths(paths);
  }

  /** Removes files that were taken over, unless somebody changed them since; what is not all in the database is kept beside a memory. */
  async removeTaken(): Promise<void> {
    const { others } = this.index.edits;
    const left: { path: string; expected: FileStamp }[] = [];
    for (const [path, { isTaken, stamp, keptFor }] of Object.entries(others)) {
      const item = keptFor === undefined ? undefined : this.index.find(keptFor);
      // Of a memory that this run did not come to.
      if (!isTaken || (keptFor !== undefined && item === undefined)) continue;
      delete others[path];
      if (this.index.findAt(path) !== undefined) continue;
      const found = await readStamp(join(this.folder, path));
      if (found === null || found === 'refused' || !isSameStamp(found, stamp)) continue;
      if (item) await this.keep(path, item.path);
      left.push({ path, expected: stamp });
    }
    const outcomes = await removeFiles(this.folder, left, this.own);
    const removed = left.flatMap(({ path }, at) => (outcomes[at] === 'changed' ? [] : [path]));
    for (const path of removed) this.noteRemoval(path);
    await pruneEmptyFolders(this.folder, removed, this.own);
  }

  /** Removes files that are no item's. */
  async removePaths(paths: readonly string[]): Promise<void> {
    await removeFiles(
      this.folder,
      paths.map((path) => ({ path })),
      this.own,
    );
    for (const path of paths) this.noteRemoval(path);
    await pruneEmptyFolders(this.folder, paths, this.own);
  }

  /** Writes files, and returns their stamps; null for one that cannot be written. */
  private async put(files: readonly Rendered[]): Promise<(FileStamp | null)[]> {
    // Files that are probably there as they should be are read rather than written.
    const isThere = ({ path }: Rendered) => this.committed.has(path) && this.index.findAt(path) === undefined;
    const missing = files.filter((file) => !isThere(file));
    const results = await writeFiles(
      this.folder,
      missing.map(({ path, text }): FileWrite => ({
        path,
        text,
        expected: this.index.findAt(path)?.item.stamp ?? 'nothing',
      })),
      { own: this.own },
    );
    const written = new Map(missing.map(({ path }, at) => [path, results[at]!]));
    return mapFiles(this.folder, files, async (file) => {
      const result = written.get(file.path);
      return result?.outcome === 'written' ? result.stamp : this.settle(file);
    });
  }

  /**
   * The file is not what was expected at its path. Returns its stamp once it is there, null when it cannot be: also when what somebody
   * wrote there cannot be kept beside it.
   */
  private async settle({ path, text, blob }: Rendered): Promise<FileStamp | null> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const found = await readDiskFile(this.folder, path);
      if (found.state === 'refused') return null;
      if (found.state === 'file' && found.blob === blob) return found.stamp;
      if (found.state === 'file' && !this.isOwn(path, found.blob) && !(await this.keep(path, path))) return null;
      const expected = found.state === 'file' ? found.stamp : 'nothing';
      const [result] = await writeFiles(this.folder, [{ path, text, expected }], { own: this.own });
      if (result!.outcome === 'written') return result!.stamp;
    }
    return null;
  }

  private isOwn(path: string, blob: string): boolean {
    return this.index.isOwn(path, blob) || this.committed.get(path) === blob;
  }

  /** Removes what moved away. What somebody made of it meanwhile is kept beside its new place. */
  private async leave(left: readonly { path: string; stamp: FileStamp | null; keptFor: string }[]): Promise<void> {
    const outcomes = await removeFiles(
      this.folder,
      left.map(({ path, stamp }) => ({ path, expected: stamp ?? UNKNOWN_STAMP })),
      this.own,
    );
    for (const [at, { path, keptFor }] of left.entries()) {
      if (outcomes[at] === 'changed') {
        const found = await readDiskFile(this.folder, path);
        if (found.state === 'file' && !this.isOwn(path, found.blob)) await this.keep(path, keptFor);
        // What is written at this moment stays: the next run finds it.
        const expected = found.state === 'file' ? found.stamp : UNKNOWN_STAMP;
        const [outcome] = await removeFiles(this.folder, [{ path, expected }], this.own);
        if (outcome === 'changed') continue;
      }
      this.noteRemoval(path);
    }
    await pruneEmptyFolders(
      this.folder,
      left.map(({ path }) => path),
      this.own,
    );
  }

  /** Keeps a file beside that of an item, and removes it from where it is. */
  async moveAside(path: string, keptFor: string): Promise<void> {
    await this.keep(path, keptFor);
    await this.removePaths([path]);
  }

  /** Keeps a file beside another one: beside `path` itself where there are too many. False: it has to stay at `path`, which is that place. */
  private async keep(path: string, keptFor: string): Promise<boolean> {
    let kept = await setAside(this.folder, path, keptFor, { own: this.own });
    if (kept?.outcome === 'full' && path !== keptFor)
      kept = await setAside(this.folder, path, path, { own: this.own, limit: Infinity });
    if (kept === null) return true;
    if (kept.outcome === 'full') return false;
    if (kept.outcome === 'kept') this.counts.conflicts += 1;
    // A killed run may not have committed it.
    this.changes.push({ path: kept.path, action: 'put' });
    return true;
  }

  private note(change: VaultChange): void {
    this.counts.written += 1;
    this.changes.push(change);
  }

  private noteRemoval(path: string): void {
    this.counts.removed += 1;
    this.changes.push({ path, action: 'remove' });
  }
}

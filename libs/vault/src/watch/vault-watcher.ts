import { type Clock, pauseForEventLoop, type Timer } from '@annals/domain';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnChanges } from '../files/own-changes.js';
import { readRoot, type VaultOwner } from '../projection/vault-folder.js';
import { readErrorCode, VaultUnavailableError } from '../unavailable.js';
import { Debounce } from './debounce.js';
import { isChangedByOthers, lookAt, readPlace } from './look-at-files.js';
import { type NoticedBy, Notices } from './notices.js';
import { readVaultOwner } from './vault-owner.js';
import { type WatchFolder, watchFolder } from './watch-folder.js';
import { isOfVault, splitPlace, USER_DEPTH, WatchedTree, type WatchedFolder } from './watched-tree.js';

/** All in ms. */
export interface WatchTimes {
  /** Behind the last change of a user's files, and at the latest behind the first of them. */
  readonly quietMs: number;
  readonly maxMs: number;
  /** Between two looks at whether the root is there, and still the same. */
  readonly rootMs: number;
  /** Between two scans of everything: the system drops events when there are too many. */
  readonly scanMs: number;
  /** Between two scans of what cannot be watched. */
  readonly unwatchedMs: number;
  /** Behind an `onChanged` that failed, doubling up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
}

const TIMES: WatchTimes = {
  quietMs: 500,
  maxMs: 3_000,
  rootMs: 5_000,
  scanMs: 3_600_000,
  unwatchedMs: 60_000,
  retryMs: 1_000,
  maxRetryMs: 60_000,
};

export interface VaultWatcherOptions {
  /** Folder of the vault, an absolute path. It may be missing, now and later. */
  readonly root: string;
  readonly clock: Pick<Clock, 'monotonicNow' | 'startTimer'>;
  /** What this process writes there. */
  readonly own: OwnChanges;
  /** Somebody changed files of a user. Repeated until it succeeds. */
  readonly onChanged: (owner: VaultOwner) => Promise<void>;
  readonly report: WatchReport;
  readonly times?: Partial<WatchTimes>;
  readonly watchFolder?: WatchFolder;
}

export interface WatchReport {
  /** A change was passed on. */
  noticed(by: NoticedBy): void;
  /** Folders cannot be watched, and are scanned instead. Once, until all are watched again. `reason`: a code as ENOSPC. */
  unwatched(reason: string): void;
  /** `onChanged` failed, or something unforeseen did; it is tried again. */
  failed(error: unknown): void;
}

/**
 * Notices that files of the vault were changed by somebody else than this process: by events of the file system, and by scans that
 * compare files with the snapshot index (docs/reference/vault.md#how-changes-are-noticed).
 */
export class VaultWatcher {
  private readonly times: WatchTimes;
  private readonly changes: Debounce;
  private readonly notices: Notices;
  private tree: WatchedTree | null = null;
  /** Which folder of which disk is watched, and which vault that is. */
  private rootId: string | null = null;
  /** Names of what changed, by folder; true: the folder of that name was moved or removed. */
  private events = new Map<WatchedFolder, Map<string | null, boolean>>();
  private handling: Promise<void> | null = null;
  private ticking: Promise<void> | null = null;
  private timer: Timer | null = null;
  private scanAt = 0;
  private unwatchedAt = 0;
  private readonly unwatched = new Set<string>();
  private isWarned = false;
  private isStopped = false;
  private ignoredCount = 0;

  constructor(private readonly options: VaultWatcherOptions) {
    const { clock, report } = options;
    this.times = { ...TIMES, ...options.times };
    const { retryMs, maxRetryMs } = this.times;
    this.changes = new Debounce(clock, this.times, (user) => this.notices.add(user, 'event'));
    this.notices = new Notices({
      clock,
      retry: { firstMs: retryMs, maxMs: maxRetryMs },
      send: (user, by) => this.send(user, by),
      onFailed: (error) => report.failed(error),
    });
  }

  /** Folders that are watched now. */
  get watchedFolders(): number {
    return this.tree?.size ?? 0;
  }

  /** Changes in folders of which it is not said, or not believed, whose they are. */
  get ignored(): number {
    return this.ignoredCount;
  }

  /** Resolves once what is there now is watched and was scanned, which nobody needs to wait for. Never throws: the root may come later. */
  async start(): Promise<void> {
    if (this.timer !== null || this.isStopped) return;
    this.timer = this.options.clock.startTimer(this.times.rootMs, () => this.tick());
    this.tick();
    await this.ticking;
  }

  /** Waits for what is being looked at and passed on. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.timer?.stop();
    this.changes.stop();
    this.close();
    await Promise.all([this.ticking, this.handling, this.notices.stop()]);
  }

  private tick(): void {
    this.ticking ??= this.look()
      .catch((error: unknown) => this.options.report.failed(error))
      .finally(() => {
        this.ticking = null;
        if (!this.isStopped) this.timer?.restart();
      });
  }

  private async look(): Promise<void> {
    const { clock } = this.options;
    const rootId = await this.readRootId();
    if (rootId !== this.rootId) this.close();
    if (this.isStopped || rootId === null) return;
    this.rootId = rootId;
    if (this.tree === null) {
      this.tree = this.createTree();
      this.scanAt = clock.monotonicNow();
    }
    if (clock.monotonicNow() >= this.scanAt) await this.scan(this.tree);
    else if (this.unwatched.size > 0 && clock.monotonicNow() >= this.unwatchedAt) await this.scanUnwatched(this.tree);
  }

  private async scan(tree: WatchedTree): Promise<void> {
    this.beginScan(tree);
    await tree.refresh(tree.top);
    this.scanAt = this.options.clock.monotonicNow() + this.times.scanMs;
    this.endScan();
  }

  private async scanUnwatched(tree: WatchedTree): Promise<void> {
    const users = [...this.unwatched];
    this.beginScan(tree);
    // What contains users is not watched either: there may be new ones.
    const isWhole = users.some((user) => !user.includes('/'));
    for (const folder of isWhole ? [tree.top] : users.map((user) => findUser(tree, user))) {
      if (folder) await tree.refresh(folder);
    }
    this.endScan();
  }

  private beginScan(tree: WatchedTree): void {
    this.unwatched.clear();
    tree.retry();
  }

  private endScan(): void {
    this.unwatchedAt = this.options.clock.monotonicNow() + this.times.unwatchedMs;
    if (this.unwatched.size === 0) this.isWarned = false;
  }

  private createTree(): WatchedTree {
    return new WatchedTree(this.options.root, {
      watchFolder: this.options.watchFolder ?? watchFolder,
      onEvent: (folder, name) => this.noteEvent(folder, name),
      onFile: (folder, name) => this.lookAt(folder, name),
      onUser: (folder) => this.scanUser(folder),
      onUnwatched: (folder, error) => this.noteUnwatched(folder, error),
    });
  }

  private close(): void {
    this.events.clear();
    this.unwatched.clear();
    this.rootId = null;
    if (this.tree !== null) this.tree.leave(this.tree.top);
    this.tree = null;
  }

  /** Null: the root is missing, or not the vault's, as the place where its volume is not mounted. */
  private async readRootId(): Promise<string | null> {
    const { root } = this.options;
    try {
      const { dev, ino } = await stat(root);
      const vaultId = await readRoot(root);
      return vaultId === null ? null : `${dev} ${ino} ${vaultId}`;
    } catch (error) {
      if (readErrorCode(error) !== undefined || error instanceof VaultUnavailableError) return null;
      throw error;
    }
  }

  private noteUnwatched(folder: WatchedFolder, error: unknown): void {
    this.unwatched.add(folder.depth < USER_DEPTH ? '' : splitPlace(folder, '').user);
    if (error === null || this.isWarned) return;
    this.isWarned = true;
    this.options.report.unwatched(readErrorCode(error) ?? 'unknown');
  }

  /** Called for each event: what there is to see is looked at behind it. */
  private noteEvent(folder: WatchedFolder, name: string | null): void {
    if (folder.isClosed || this.isStopped) return;
    // Something in it can have this name too: then the folder is found to be there, and looked at as a whole.
    if (name === folder.name) this.noteMoved(folder);
    else if (name === null || isOfVault(folder.depth, name)) this.queue(folder, name, false);
  }

  private noteMoved(folder: WatchedFolder): void {
    if (folder.parent !== null) return this.queue(folder.parent, folder.name, true);
    // The root itself, or what is mounted there.
    this.close();
    this.tick();
  }

  private queue(folder: WatchedFolder, name: string | null, isMoved: boolean): void {
    const names = this.events.get(folder) ?? new Map<string | null, boolean>();
    this.events.set(folder, names.set(name, isMoved || (names.get(name) ?? false)));
    this.handling ??= this.handle().finally(() => (this.handling = null));
  }

  private async handle(): Promise<void> {
    while (!this.isStopped) {
      const [next] = this.events;
      if (next === undefined) return;
      const [folder, names] = next;
      this.events.delete(folder);
      for (const [name, isMoved] of names) await this.handleEvent(folder, name, isMoved);
    }
  }

  private async handleEvent(folder: WatchedFolder, name: string | null, isMoved: boolean): Promise<void> {
    try {
      if (name === null) await this.tree?.refresh(folder, folder.depth >= USER_DEPTH);
      else await this.lookAt(folder, name, isMoved);
    } catch (error) {
      this.options.report.failed(error);
    }
  }

  /** Looks at what changed in a folder. `isMoved`: the folder that was watched by this name is not there any more. */
  private async lookAt(folder: WatchedFolder, name: string, isMoved = false): Promise<void> {
    const { tree } = this;
    if (tree === null || folder.isClosed) return;
    const child = folder.children.get(name);
    if (isMoved && child) tree.leave(child);
    const isOfUser = folder.depth >= USER_DEPTH;
    const { user, path } = splitPlace(folder, name);
    const found = isOfUser
      ? await lookAt(join(this.options.root, user), path, this.options.own)
      : await readPlace(join(tree.placeOf(folder), name));
    if (folder.isClosed) return;
    if (found === 'folder') {
      if (!child || child.isClosed) await tree.enter(folder, name, isOfUser);
      return;
    }
    if (child) tree.leave(child);
    if (found === 'foreign') this.changes.touch(user);
  }

  private async scanUser(folder: WatchedFolder): Promise<void> {
    if (this.isStopped || this.tree === null) return;
    const { root, own } = this.options;
    const { user } = splitPlace(folder, '');
    const place = join(root, user);
    try {
      if (await isChangedByOthers(place, own)) this.notices.add(user, 'scan');
    } catch (error) {
      // The others are scanned nevertheless.
      this.options.report.failed(error);
    }
    await pauseForEventLoop();
  }

  private async send(user: string, by: NoticedBy): Promise<void> {
    const owner = await readVaultOwner(this.options.root, user);
    if (owner === null) {
      this.ignoredCount += 1;
      return;
    }
    await this.options.onChanged(owner);
    this.options.report.noticed(by);
  }
}

function findUser(tree: WatchedTree, user: string): WatchedFolder | undefined {
  const [tenant = '', name = ''] = user.split('/');
  return tree.top.children.get(tenant)?.children.get(name);
}

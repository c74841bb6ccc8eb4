import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SystemClock, type VaultMemory } from '@annals/domain';
import { waitUntil } from '@annals/testing';
import { OwnChanges } from '../files/own-changes.js';
import { createTestFolder } from '../git/vault.fixture.js';
import { openVaultFolder, openVaultRoot, type VaultOwner } from '../projection/vault-folder.js';
import { VaultIndex } from '../projection/vault-index.js';
import { VaultWriter } from '../projection/vault-writer.js';
import type { NoticedBy } from './notices.js';
import { VaultWatcher, type VaultWatcherOptions, type WatchTimes } from './vault-watcher.js';

const TENANT = '01980000-0000-7000-8000-00000000000a';
/** Who makes changes behind all others. */
const LAST = '0';
const VAULT = '01980000-0000-7000-8000-0000000000ff';
/** Soon, and without the scans of an hour and a minute. */
const TIMES: WatchTimes = {
  quietMs: 30,
  maxMs: 3_000,
  rootMs: 20,
  scanMs: 3_600_000,
  unwatchedMs: 3_600_000,
  retryMs: 5,
  maxRetryMs: 20,
};

/** A vault on the disk of the test, the watcher of a process, and what writes in that process. */
export class WatchFixture {
  readonly own = new OwnChanges();
  /** Users whose files were changed, one for each call. */
  readonly changed: string[] = [];
  readonly noticed: NoticedBy[] = [];
  readonly unwatched: string[] = [];
  readonly failures: unknown[] = [];
  /** Called before a change is noted; may throw. */
  onChanged: (owner: VaultOwner) => Promise<void> = async () => {};
  watcher: VaultWatcher;
  private readonly writers = new Map<string, { readonly writer: VaultWriter; readonly index: VaultIndex }>();
  private claims = 0;

  private constructor(
    readonly root: string,
    private readonly more: Partial<VaultWatcherOptions>,
  ) {
    this.watcher = this.createWatcher();
  }

  /** `hasRoot`: whether the job has made the root already. */
  static async open(more: Partial<VaultWatcherOptions> = {}, { hasRoot = true } = {}): Promise<WatchFixture> {
    const fixture = new WatchFixture(join(await createTestFolder(), 'vault'), more);
    if (hasRoot) {
      await fixture.makeRoot();
      await mkdir(join(await fixture.folderOf(LAST), 'entries'));
    }
    return fixture;
  }

  async makeRoot(): Promise<void> {
    await openVaultRoot(this.root, { known: null, next: VAULT });
  }

  /** The folder of a user, who is named by a digit. */
  folderOf(user: string): Promise<string> {
    return openVaultFolder(this.root, this.ownerOf(user));
  }

  ownerOf(user: string): VaultOwner {
    return { tenantId: TENANT, userId: `user-${user}`, subjectId: `01980000-0000-7000-8000-00000000000${user}` };
  }

  /** Writes memories as a run of this process does, and saves the index. Returns their paths. */
  async writeOwn(user: string, memories: number, threadId = 'kitchen', revision = 1): Promise<string[]> {
    const { writer, index } = await this.writerOf(user);
    const items = Array.from({ length: memories }, (_, n) => newMemory(n, threadId, revision));
    await writer.write(items, 'memory');
    await index.save();
    return items.map(({ id }) => index.find(id)!.path);
  }

  async removeOwn(user: string, memories: number): Promise<void> {
    const { writer, index } = await this.writerOf(user);
    await writer.remove(Array.from({ length: memories }, (_, n) => idOf(n)));
    await index.save();
  }

  /** Puts a file into its place whole, as many editors do: one event, if its folder is watched. */
  async edit(user: string, path: string, text = 'Edited.'): Promise<void> {
    const folder = await this.folderOf(user);
    const draft = join(folder, 'draft');
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(draft, text);
    await rename(draft, join(folder, path));
  }

  /** Writes into a file. */
  async rewrite(user: string, path: string): Promise<void> {
    await writeFile(join(await this.folderOf(user), path), 'Rewritten.');
  }

  async rename(user: string, from: string, to: string): Promise<void> {
    const folder = await this.folderOf(user);
    await rename(join(folder, from), join(folder, to));
  }

  async remove(user: string, path: string): Promise<void> {
    await rm(join(await this.folderOf(user), path), { recursive: true });
  }

  /**
   * Waits until changes of these users were noticed, and of nobody else: events have an order, so a change of somebody that
   * comes last is noticed behind all others.
   */
  async waitForCalls(...users: string[]): Promise<void> {
    const expected = users.map((user) => `user-${user}`);
    await waitUntil(() => expected.every((user) => this.changed.includes(user)), {
      describe: 'the changes are noticed',
    });
    await this.edit(LAST, 'entries/last.md', String(this.claims++));
    await waitUntil(() => this.changed.includes(`user-${LAST}`), { describe: 'the last change is noticed' });
    expect(new Set(this.changed)).toEqual(new Set([...expected, `user-${LAST}`]));
    this.changed.length = 0;
  }

  async waitForWatches(count: number): Promise<void> {
    await waitUntil(() => this.watcher.watchedFolders === count, { describe: `${count} folders are watched` });
  }

  /** Proves that nothing before was taken for a change: of all that happened, only this last change of a user is noticed, once. */
  async expectNoneButNow(user: string): Promise<void> {
    await this.edit(user, 'entries/last.md', String(this.claims++));
    await waitUntil(() => this.changed.includes(`user-${user}`), { describe: 'the last change is noticed' });
    expect(this.changed).toEqual([`user-${user}`]);
    this.changed.length = 0;
  }

  /** Starts the watcher of another process. */
  async restart(): Promise<void> {
    await this.watcher.stop();
    this.watcher = this.createWatcher();
    await this.watcher.start();
  }

  async close(): Promise<void> {
    await this.watcher.stop();
    expect(this.failures).toEqual([]);
  }

  private createWatcher(): VaultWatcher {
    const { root, own, more } = this;
    return new VaultWatcher({
      root,
      own,
      clock: new SystemClock(),
      onChanged: async (owner) => {
        await this.onChanged(owner);
        this.changed.push(owner.userId);
      },
      report: {
        noticed: (by) => void this.noticed.push(by),
        unwatched: (reason) => void this.unwatched.push(reason),
        failed: (error) => void this.failures.push(error),
      },
      ...more,
      times: { ...TIMES, ...more.times },
    });
  }

  private async writerOf(user: string) {
    const known = this.writers.get(user);
    if (known) return known;
    const folder = await this.folderOf(user);
    const index = await VaultIndex.load(folder, this.ownerOf(user).subjectId, `claim ${++this.claims}`);
    const made = { index, writer: new VaultWriter(folder, index, new Map(), this.own) };
    this.writers.set(user, made);
    return made;
  }
}

function idOf(n: number): string {
  return `01980000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

function newMemory(n: number, threadId: string, revision: number): VaultMemory & { readonly mark: string } {
  return {
    role: 'memory',
    id: idOf(n),
    threadId,
    content: `The user likes tea ${n}, revision ${revision}.`,
    category: 'preferences',
    type: 'semantic',
    origin: 'extraction',
    importance: 3,
    confidence: 0.8,
    pinned: false,
    revision,
    hash: 'abc',
    createdAt: Date.UTC(2026, 10, 30),
    validFrom: Date.UTC(2026, 10, 30),
    validTo: null,
    closedAt: null,
    replacedBy: null,
    deletedAt: null,
    deletedBy: null,
    sources: [],
    mark: `${threadId} ${revision}`,
  };
}

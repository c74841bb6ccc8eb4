import { type Clock, gitBlobId } from '@annals/domain';
import {
  allOf,
  findChangedMemories,
  isChainContinued,
  listConversationItems,
  listThreadMemories,
  listVaultConversations,
  listVaultMemories,
  readVaultMemories,
  readVaultSummaries,
  readVaultTurns,
  type Tx,
  type VaultChain,
  type VaultConversation,
  type VaultMark,
} from '@annals/storage';
import type { OwnChanges } from '../files/own-changes.js';
import type { VaultRepository } from '../git/repository.js';
import { forgetItems } from './forget-items.js';
import { removeStrays } from './remove-strays.js';
import { takeRepository } from './take-repository.js';
import { IGNORE_PATH, IGNORE_TEXT } from './vault-folder.js';
import { type VaultCounts, VaultWriter } from './vault-writer.js';
import type { VaultIndex } from './vault-index.js';

/** Memories, and conversations whose items are listed, at a time. */
const LIST_PAGE = 2_000;
const CONVERSATION_PAGE = 100;
const READ_PAGE = 500;
/** Files behind which a long run commits and saves the index: a killed one goes on from there. */
const CHECKPOINT_FILES = 5_000;
/** What Annals has Git ignore, unless it is somebody's own by now. */
const IGNORE_CHANGE = { path: IGNORE_PATH, action: 'put', blob: gitBlobId(IGNORE_TEXT) } as const;
const AUTHOR = { name: 'Annals', email: 'annals@localhost' };
/** As a commit names it. */
export const AUTHOR_LINE = `${AUTHOR.name} <${AUTHOR.email}>`;

export interface VaultRun {
  /** The folder of the user. */
  readonly folder: string;
  readonly userId: string;
  /** The last link of the user's audit chain when the run began. */
  readonly chain: VaultChain;
  /** When something of the user was last forgotten; epoch ms. */
  readonly forgottenAt: number | null;
  readonly index: VaultIndex;
  /** Null: without a Git history. */
  readonly repository: VaultRepository | null;
  /** Opens the history of before Git was switched off, which nothing is added to; null: there is none. */
  readonly openFormer: (() => Promise<VaultRepository>) | null;
  /** Whether changes of people were taken over before this. */
  readonly isFollowed?: boolean;
  /** One transaction of the user's tenant that only reads. */
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly clock: Clock;
  /** Aborted when another worker has the user, or the process stops: nothing is written behind that. */
  readonly signal: AbortSignal;
  /** Whether another page may begin; the next run goes on where this one stops. */
  readonly mayGoOn: () => boolean;
  /** Notes what is written and removed, for the watcher of this process. */
  readonly ownChanges?: OwnChanges | undefined;
  /** Items that are read and written at a time. Default: 500. */
  readonly pageSize?: number;
}

export interface VaultResult extends Readonly<VaultCounts> {
  readonly commits: number;
  /** Whether the history was rewritten to forget something. */
  readonly hasForgotten: boolean;
  /** Everything that there was when it began is in the folder. */
  readonly isComplete: boolean;
}

/**
 * Brings the files of a user up to date with the database, commits them, and rewrites the history when something was forgotten
 * (docs/reference/vault.md#how-it-is-written). What was written is in the index: a run that is repeated, after whatever
 * interruption, ends with the same files.
 * @throws VaultUnavailableError when the folder cannot be written now
 */
export async function writeVault(run: VaultRun): Promise<VaultResult> {
  const { index, read, userId, chain } = run;
  const known = index.chain;
  // The database is another one than the last run had, such as a restored one: everything is compared.
  if (known && !(await read((tx) => isChainContinued(tx, userId, known, chain)))) index.chain = null;
  const committed = await listCommitted(run);
  // What the history has beyond that is not known, or words were forgotten that no link of the chain names.
  const isUnknown = index.chain === null && (run.openFormer !== null || (await readHead(run)) !== null);
  if (isUnknown || index.forgottenAt !== run.forgottenAt) index.mustForget = true;
  await takeRepository(run);
  return new VaultProjection(run, committed).write();
}

async function readHead({ repository }: VaultRun): Promise<string | null> {
  return (await repository?.state())?.head ?? null;
}

/** What the last commit has, when the index does not know what is in the folder. */
async function listCommitted({ index, repository }: VaultRun): Promise<ReadonlyMap<string, string>> {
  return index.chain === null && repository ? repository.ownHeadFiles(AUTHOR_LINE) : new Map<string, string>();
}

class VaultProjection {
  private readonly writer: VaultWriter;
  private commits = 0;

  constructor(
    private readonly run: VaultRun,
    private readonly committed: ReadonlyMap<string, string>,
  ) {
    this.writer = new VaultWriter(run.folder, run.index, committed, run.ownChanges);
  }

  async write(): Promise<VaultResult> {
    const { index, chain, signal, repository } = this.run;
    // The disk lost commits, or there were none for a time: what is in the folder is committed again.
    if (repository && (repository.hasLostHistory || index.mustCommit))
      this.writer.recommit(await repository.headFiles());
    const isComplete = (await this.writeMemories()) && (await this.writeConversations());
    if (isComplete) {
      await this.writer.removeTaken();
      if (index.chain === null) await removeStrays({ ...this.run, writer: this.writer, committed: this.committed });
      index.chain = chain;
    }
    await this.checkpoint();
    const hasForgotten = isComplete && index.mustForget;
    const checkpoint = () => this.checkpoint();
    if (hasForgotten) await forgetItems({ ...this.run, writer: this.writer, author: AUTHOR_LINE, checkpoint });
    else if (this.commits > 0) await repository?.pack();
    await this.noteEnd();
    signal.throwIfAborted();
    return { ...this.writer.counts, commits: this.commits, hasForgotten, isComplete };
  }

  /** What the next run has to know to tell what people did since. */
  private async noteEnd(): Promise<void> {
    const { index, isFollowed = false } = this.run;
    const { edits } = index;
    const head = await readHead(this.run);
    if (edits.isFollowed === isFollowed && edits.head === head) return;
    Object.assign(edits, { isFollowed, head });
    await index.save();
  }

  private writeMemories(): Promise<boolean> {
    const { chain } = this.run.index;
    return chain === null ? this.writeAllMemories() : this.writeChangedMemories(chain.seq);
  }

  private async writeChangedMemories(after: number): Promise<boolean> {
    const { index, read, userId, chain } = this.run;
    const stale = index.entries().flatMap(([id, item]) => (item.kind === 'memory' && index.isStale(item) ? [id] : []));
    if (after >= chain.seq) return this.writeMemoryPages(stale);
    const { ids, hasPurged } = await read((tx) => findChangedMemories(tx, userId, { after, upTo: chain.seq }));
    if (hasPurged) index.mustForget = true;
    return this.writeMemoryPages([...new Set([...stale, ...ids])]);
  }

  private async writeAllMemories(): Promise<boolean> {
    const { index, read, userId } = this.run;
    const there = new Set<string>();
    for (let after: string | null = null; ;) {
      const page: VaultMark[] = await read((tx) => listVaultMemories(tx, userId, { after, limit: LIST_PAGE }));
      for (const { id } of page) there.add(id);
      const changed = page.filter(({ id, mark }) => index.find(id)?.mark !== mark);
      if (!(await this.writeMemoryPages(changed.map(({ id }) => id)))) return false;
      if (page.length < LIST_PAGE) break;
      after = page.at(-1)!.id;
    }
    await this.removeGone(
      index.entries().flatMap(([id, { kind }]) => (kind === 'memory' && !there.has(id) ? [id] : [])),
    );
    return true;
  }

  /** Those that have no file any more lose it. */
  private async writeMemoryPages(ids: readonly string[]): Promise<boolean> {
    const { index, read, userId } = this.run;
    return this.inPages(ids, async (page) => {
      const memories = await read((tx) => readVaultMemories(tx, userId, page));
      await this.writer.write(memories, 'memory');
      const there = new Set(memories.map(({ id }) => id));
      // The history names messages and proposals by their ids as well.
      await this.removeGone(page.filter((id) => !there.has(id) && index.find(id)?.kind === 'memory'));
    });
  }

  /** Memories and messages that are gone: the history has their words. */
  private async removeGone(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { index } = this.run;
    index.mustForget = true;
    await this.writer.remove(ids);
    // Copies that somebody made and changed nothing in.
    const gone = new Set(ids);
    const { others } = index.edits;
    const copies = Object.entries(others).flatMap(([path, { id, reason }]) =>
      id !== undefined && gone.has(id) && reason === undefined ? [path] : [],
    );
    await this.writer.removePaths(copies);
    for (const path of copies) delete others[path];
  }

  private async writeConversations(): Promise<boolean> {
    const { index, read, userId } = this.run;
    const conversations = await read((tx) => listVaultConversations(tx, userId));
    const changed = conversations.filter(({ id, mark }) => index.conversations[id]?.mark !== mark);
    for (let start = 0; start < changed.length; start += CONVERSATION_PAGE) {
      if (!(await this.writeConversationPage(changed.slice(start, start + CONVERSATION_PAGE)))) return false;
    }
    const there = new Set(conversations.map(({ id }) => id));
    for (const id of index.listConversations().filter((known) => !there.has(known))) {
      // Also one without messages: its name is in the history.
      index.mustForget = true;
      await this.removeGone(index.listOf(id));
      delete index.conversations[id];
    }
    return true;
  }

  private async writeConversationPage(page: readonly VaultConversation[]): Promise<boolean> {
    const { index, read, userId } = this.run;
    const [ids, threadIds] = [page.map(({ id }) => id), page.map(({ threadId }) => threadId)];
    const [items, memories] = await read((tx) =>
      allOf([listConversationItems(tx, ids), listThreadMemories(tx, userId, threadIds)]),
    );
    const changed = items.filter((item) => index.find(item.id)?.mark !== item.mark);
    const pick = (isTurn: boolean) => changed.flatMap((item) => (item.isTurn === isTurn ? [item.id] : []));
    const saidAgain = memories.flatMap((memory) => (index.find(memory.id)?.mark === memory.mark ? [] : [memory.id]));
    const conversations = new Map(items.map((item) => [item.id, item.conversationId]));
    const isWhole =
      (await this.writeMemoryPages(saidAgain)) &&
      (await this.inPages(pick(true), async (some) =>
        this.writer.write(await read((tx) => readVaultTurns(tx, userId, some)), 'turn', conversations),
      )) &&
      (await this.inPages(pick(false), async (some) =>
        this.writer.write(await read((tx) => readVaultSummaries(tx, userId, some)), 'summary', conversations),
      ));
    if (!isWhole) return false;
    for (const { id, threadId, mark, isReduced } of page) {
      const gone = index.listOf(id).filter((itemId) => !conversations.has(itemId));
      const goneTurns = gone.filter((itemId) => index.find(itemId)?.kind === 'turn');
      await this.removeGone(goneTurns);
      // Old tombstones of summaries go by themselves.
      await this.writer.remove(gone);
      index.conversations[id] = { mark, threadId, isReduced };
    }
    return true;
  }

  private async inPages(ids: readonly string[], work: (page: readonly string[]) => Promise<void>): Promise<boolean> {
    const { signal, mayGoOn, pageSize = READ_PAGE } = this.run;
    for (let start = 0; start < ids.length; start += pageSize) {
      signal.throwIfAborted();
      if (!mayGoOn()) return false;
      await work(ids.slice(start, start + pageSize));
      if (this.writer.waiting >= CHECKPOINT_FILES) await this.checkpoint();
    }
    return true;
  }

  /** Commits what was written, and saves the index. */
  private async checkpoint(): Promise<void> {
    const { repository, clock, index, signal } = this.run;
    signal.throwIfAborted();
    const changes = this.writer.takeChanges();
    if (changes.length > 0) index.mustCommit = repository === null;
    if (repository && changes.length > 0) {
      const put = changes.filter(({ action }) => action === 'put').length;
      const message = `Write ${put} files, remove ${changes.length - put}`;
      changes.push(IGNORE_CHANGE);
      const commit = await repository.commit({ changes, message, author: AUTHOR, at: clock.now() });
      if (commit !== null) this.commits += 1;
    }
    await index.save();
  }
}

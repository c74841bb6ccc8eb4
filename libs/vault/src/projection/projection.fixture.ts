import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitBlobId, type MemoryChange, ManualClock, renderVaultFile, SeededRng, UuidV7Generator } from '@annals/domain';
import {
  acceptMessages,
  createTenant,
  Database,
  forgetConversation,
  forgetMessage,
  listConversationItems,
  listVaultConversations,
  listVaultMemories,
  loadVaultSubject,
  readVaultMemories,
  readVaultSummaries,
  readVaultTurns,
  writeMemories,
  writeSummaries,
} from '@annals/storage';
import { createTestDatabase, newMemory, newMessage, newPost, type TestDatabase } from '@annals/testing';
import { listFiles } from '../files/list-files.js';
import { createTestFolder, removeTestFolders, SETTINGS } from '../git/vault.fixture.js';
import { VaultRepository } from '../git/repository.js';
import { openVaultFolder, openVaultRoot } from './vault-folder.js';
import { VaultIndex } from './vault-index.js';
import { type VaultResult, type VaultRun, writeVault } from './write-vault.js';

/** A database and a vault. The clock advances only on request. */
export class ProjectionFixture {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  private claims = 0;

  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: Database,
    readonly root: string,
    readonly tenantId: string,
  ) {}

  static async open(): Promise<ProjectionFixture> {
    const testDatabase = await createTestDatabase();
    const database = await Database.open({ ...testDatabase.app, poolSize: 4 });
    const tenantId = '01980000-0000-7000-8000-000000000001';
    await createTenant(database, { id: tenantId, name: 'vaults', now: Date.UTC(2026, 0, 5) });
    const root = await createTestFolder();
    await openVaultRoot(root, { known: null, next: '01980000-0000-7000-8000-0000000000ff' });
    return new ProjectionFixture(testDatabase, database, root, tenantId);
  }

  get dependencies() {
    return { clock: this.clock, ids: this.ids, randomBytes };
  }

  /** Changes memories of a user; the ids of what they resulted in. */
  async change(userId: string, ...changes: MemoryChange[]): Promise<string[]> {
    this.clock.advance(1_000);
    const command = { userId, actor: 'key:spec', node: 'api', changes };
    const written = await this.database.inTenant(this.tenantId, (tx) => writeMemories(tx, command, this.dependencies));
    if (written.outcome !== 'applied') throw new Error(`The write is ${written.outcome}.`);
    return written.results.map(({ memoryId }) => memoryId);
  }

  /** A memory, which rests on these messages. */
  async add(userId: string, content: string, messageIds: readonly string[] = []): Promise<string> {
    const sources = messageIds.map((messageId) => ({ messageId, quote: content }));
    const origin = messageIds.length === 0 ? ('manual' as const) : ('extraction' as const);
    const memory = newMemory(content, this.clock.now(), { sources, origin });
    return (await this.change(userId, { kind: 'observe', memory }))[0]!;
  }

  async supersede(userId: string, memoryId: string, content: string): Promise<string> {
    const memory = newMemory(content, this.clock.now() + 1_000);
    return (await this.change(userId, { kind: 'supersede', memoryId, memory }))[0]!;
  }

  /** Deletes a memory for good, as when its time has come. */
  async purge(userId: string, memoryId: string): Promise<void> {
    await this.change(userId, { kind: 'delete', memoryId, by: 'user' });
    this.clock.advance(31 * 86_400_000);
    await this.change(userId, { kind: 'purge', memoryId });
  }

  /** Posts messages of the user and the assistant in turn; their ids. */
  async post(userId: string, threadId: string, ...contents: string[]): Promise<string[]> {
    this.clock.advance(1_000);
    const now = this.clock.now();
    const messages = contents.map((content, n) =>
      newMessage(content, now + n, { externalId: this.ids.next(), role: n % 2 === 0 ? 'user' : 'assistant' }),
    );
    const input = newPost(messages, now, { userId, threadId });
    const accepted = await this.database.inTenant(this.tenantId, (tx) => acceptMessages(tx, input, this.ids));
    const rows = await this.query<{ id: string }>('SELECT id FROM messages WHERE batch_id = ANY ($1) ORDER BY seq', [
      accepted.batchIds,
    ]);
    return rows.slice(-contents.length).map(({ id }) => id);
  }

  async summarize(
    userId: string,
    threadId: string,
    tier: 'L1' | 'L2' | 'L3',
    position: number,
    text: string,
  ): Promise<string> {
    const [thread] = await this.query<{ id: string; messages: string[] }>(
      `SELECT c.id, array(SELECT g.id FROM messages g WHERE g.conversation_id = c.id ORDER BY g.seq) AS messages
         FROM conversations c WHERE c.user_id = $1 AND c.thread_id = $2`,
      [userId, threadId],
    );
    this.clock.advance(1_000);
    const id = this.ids.next();
    const step = {
      tier,
      position,
      level: 'HIERARCHICAL' as const,
      kind: 'conversation' as const,
      recipe: 'spec',
      fromSeq: 1,
      toSeq: thread!.messages.length,
      coveredTokens: 3_000,
      coveredMessages: thread!.messages.length,
      fingerprint: id,
    };
    const made = {
      id,
      step,
      tokens: 300,
      provider: 'local',
      model: null,
      lastSaidAt: this.clock.now(),
      sentences: [{ text, messageIds: [thread!.messages[0]!] }],
    };
    const input = { made: [made] as never, tombstones: [], now: this.clock.now() };
    await this.database.inTenant(this.tenantId, (tx) => writeSummaries(tx, thread!.id, input));
    return id;
  }

  async forgetThread(userId: string, threadId: string): Promise<void> {
    const [thread] = await this.query<{ id: string }>(
      'SELECT id FROM conversations WHERE user_id = $1 AND thread_id = $2',
      [userId, threadId],
    );
    const command = { conversationId: thread!.id, actor: 'key:spec', acceptingRoute: 'postConversation' };
    await this.database.inTenant(this.tenantId, (tx) => forgetConversation(tx, command, this.dependencies));
  }

  async forgetMessage(messageId: string): Promise<void> {
    await this.database.inTenant(this.tenantId, (tx) =>
      forgetMessage(tx, { messageId, actor: 'key:spec' }, this.dependencies),
    );
  }

  query<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return this.database.readTenant(this.tenantId, (tx) => tx.query<R>(sql, parameters));
  }

  async subjectOf(userId: string): Promise<string> {
    const [user] = await this.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [
      userId,
    ]);
    return user!.subject_id;
  }

  async folderOf(userId: string): Promise<string> {
    const subjectId = await this.subjectOf(userId);
    return openVaultFolder(this.root, { tenantId: this.tenantId, userId, subjectId });
  }

  /** As the worker does for a claim of its own. */
  async write(userId: string, changed: Partial<VaultRun> = {}): Promise<VaultResult> {
    const subjectId = await this.subjectOf(userId);
    const folder = await this.folderOf(userId);
    const subject = await this.database.readTenant(this.tenantId, (tx) => loadVaultSubject(tx, subjectId));
    if (subject?.type !== 'user') throw new Error('There is no such user.');
    const repository = await VaultRepository.open(folder, SETTINGS);
    this.claims += 1;
    return writeVault({
      folder,
      userId,
      chain: subject.chain,
      forgottenAt: subject.forgottenAt,
      index: await VaultIndex.load(folder, subjectId, `claim ${this.claims}`),
      repository,
      openFormer: null,
      read: (work) => this.database.readTenant(this.tenantId, work),
      clock: this.clock,
      signal: new AbortController().signal,
      mayGoOn: () => true,
      ...changed,
    });
  }

  /** What the database has, as files by their paths. */
  async expected(userId: string): Promise<Map<string, string>> {
    const files = await this.database.readTenant(this.tenantId, async (tx) => {
      const memories = await listVaultMemories(tx, userId, { after: null, limit: 100_000 });
      const items = [
        ...(await readVaultMemories(
          tx,
          userId,
          memories.map(({ id }) => id),
        )),
      ];
      const rendered = items.map(renderVaultFile);
      for (const { id } of await listVaultConversations(tx, userId)) {
        const ids = (await listConversationItems(tx, [id])).map((item) => item.id);
        rendered.push(...(await readVaultTurns(tx, userId, ids)).map(renderVaultFile));
        rendered.push(...(await readVaultSummaries(tx, userId, ids)).map(renderVaultFile));
      }
      return rendered;
    });
    return new Map(files.map(({ path, text }) => [path, text]));
  }

  /** What is in the folder, by path. */
  async found(userId: string): Promise<Map<string, string>> {
    const folder = await this.folderOf(userId);
    const files = (await listFiles(folder)).map(({ path }) => path).filter((path) => path.startsWith('entries/'));
    return new Map(
      await Promise.all(files.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)),
    );
  }

  /** Where the file of an item is, or what was kept beside it. */
  async pathOf(userId: string, itemId: string): Promise<string> {
    return [...(await this.found(userId)).keys()].toSorted().find((path) => path.includes(itemId))!;
  }

  /** What the last commit has, by path: the ids that Git gives the contents. */
  async committed(userId: string): Promise<Map<string, string>> {
    const repository = await VaultRepository.open(await this.folderOf(userId), SETTINGS);
    const files = await repository.headFiles();
    return new Map([...files].filter(([path]) => path.startsWith('entries/')));
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
    await removeTestFolders();
  }
}

/** Files, the last commit and the database are the same. */
export async function expectSameFiles(fixture: ProjectionFixture, userId: string): Promise<void> {
  const [expected, found, committed] = await Promise.all([
    fixture.expected(userId),
    fixture.found(userId),
    fixture.committed(userId),
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(Object.fromEntries(committed)).toEqual(
    Object.fromEntries([...expected].map(([path, text]) => [path, gitBlobId(text)])),
  );
}

import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { deriveSecrets } from '@annals/runtime';
import {
  acceptMessages,
  createTenant,
  Database,
  listVaultUsers,
  loadVaultSubject,
  openVault,
  type Tx,
  writeMemories,
} from '@annals/storage';
import { createTestDatabase, createTestPool, newMemory, newMessage, newPost, type TestDatabase } from '@annals/testing';
import { openVaultFolder, openVaultRoot, VaultIndex, VaultRepository, writeVault } from '@annals/vault';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';

export const SECRET_KEY = 'a-secret-key-of-at-least-32-characters';
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** A database and a vault that is written from it as its worker does. The clock advances only on request. */
export class VaultFixture {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(7));
  readonly key = deriveSecrets({ secretKey: SECRET_KEY }).audit;
  readonly dependencies = { clock: this.clock, ids: this.ids, randomBytes };
  private writes = 0;

  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: Database,
    readonly superuser: pg.Pool,
    readonly root: string,
  ) {}

  static async open(): Promise<VaultFixture> {
    const testDatabase = await createTestDatabase();
    const { chain: chainKey } = deriveSecrets({ secretKey: SECRET_KEY });
    const database = await Database.open({ ...testDatabase.app, chainKey });
    const options = '-c search_path=annals,public';
    const superuser = createTestPool({ connectionString: testDatabase.admin.url, options, max: 1 });
    const fixture = new VaultFixture(testDatabase, database, superuser, mkdtempSync(join(tmpdir(), 'annals-vault-')));
    await openVault(database);
    return fixture;
  }

  get env(): Record<string, string> {
    return {
      ANNALS_DATABASE_URL: this.testDatabase.admin.url,
      ANNALS_SECRET_KEY: SECRET_KEY,
      ANNALS_VAULT_PATH: this.root,
    };
  }

  async addTenant(name: string): Promise<string> {
    const id = this.ids.next();
    await createTenant(this.database, { id, name, now: this.clock.now() });
    return id;
  }

  /** Remembers facts of a user, and messages in a thread of their own. */
  async remember(
    tenantId: string,
    userId: string,
    facts: readonly string[],
    turns: readonly string[] = [],
  ): Promise<void> {
    const { clock, ids, dependencies } = this;
    const changes = facts.map((fact) => ({ kind: 'observe' as const, memory: newMemory(fact, clock.now()) }));
    const messages = turns.map((turn, at) => newMessage(turn, clock.now() + at));
    await this.inTenant(tenantId, async (tx) => {
      const command = { userId, actor: 'test', node: 'api', changes };
      const { outcome } = await writeMemories(tx, command, dependencies);
      if (outcome !== 'applied') throw new Error(`The facts were not written: ${outcome}.`);
      const post = newPost(messages, clock.now(), { userId, threadId: 'kitchen' });
      if (messages.length > 0) await acceptMessages(tx, post, ids);
    });
  }

  inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.inTenant(tenantId, work);
  }

  async subjectOf(tenantId: string, userId: string): Promise<string> {
    const [user] = await this.inTenant(tenantId, (tx) => listVaultUsers(tx, { after: null, limit: 1, userId }));
    return user!.subjectId;
  }

  /** Writes the folder of a user, and takes away the work that asked for it. Returns the folder. */
  async write(tenantId: string, userId: string, hasGit = true): Promise<string> {
    const { database, clock, root } = this;
    const subjectId = await this.subjectOf(tenantId, userId);
    const subject = await this.inTenant(tenantId, (tx) => loadVaultSubject(tx, subjectId));
    if (subject?.type !== 'user') throw new Error(`There is no user ${userId}.`);
    await openVaultRoot(root, { known: null, next: '01980000-0000-7000-8000-0000000000ff' });
    const folder = await openVaultFolder(root, { tenantId, userId, subjectId });
    const signal = new AbortController().signal;
    await writeVault({
      folder,
      userId,
      chain: subject.chain,
      forgottenAt: subject.forgottenAt,
      index: await VaultIndex.load(folder, subjectId, `test ${(this.writes += 1)}`),
      repository: hasGit ? await VaultRepository.open(folder, { clock, searchPath: SEARCH_PATH, signal }) : null,
      openFormer: null,
      read: (work) => database.readTenant(tenantId, work),
      clock,
      signal,
      mayGoOn: () => true,
    });
    await this.superuser.query(`DELETE FROM work WHERE kind = 'vault' AND subject_id = $1`, [subjectId]);
    return folder;
  }

  /** Git as a person runs it. */
  git(folder: string, ...args: string[]): string {
    const settings = ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return execFileSync('git', [...settings, '-C', folder, ...args], { encoding: 'utf8' });
  }

  async close(): Promise<void> {
    await this.superuser.end();
    await this.database.close();
    await this.testDatabase.drop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

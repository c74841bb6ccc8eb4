import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { type ClaimedWork, type JobAttempt, Redactors, type WorkEnding } from '@annals/runtime';
import { claimWork, createTenant, Database, eraseUser, type VaultSubject, writeMemories } from '@annals/storage';
import { createTestDatabase, newMemory, type TestDatabase } from '@annals/testing';
import { findVaultFolders } from '@annals/vault';
import { createVaultJob } from './vault-job.js';
import { createVaultStage } from './vault-stage.js';

export const AUDIT_KEY = Buffer.alloc(32, 3);
const LEASE_MS = 2_000;
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Work that a worker has claimed, with what it loaded in the same transaction. */
export interface LoadedWork {
  readonly work: ClaimedWork;
  readonly subject: VaultSubject;
}

/** Workers of the vault on one database and one folder. The clock advances only on request. */
export class VaultStageFixture {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5, 9));
  readonly ids = new UuidV7Generator(this.clock, new SeededRng(1));
  /** Why work waited. */
  readonly reasons: string[] = [];
  /** Whether changes of files are taken over. */
  isWatched = false;
  checks: 'off' | 'warn' | 'refuse' = 'warn';

  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: Database,
    readonly root: string,
    readonly tenantId: string,
  ) {}

  static async open(): Promise<VaultStageFixture> {
    const testDatabase = await createTestDatabase();
    const database = await Database.open({ ...testDatabase.app, poolSize: 4 });
    const tenantId = '01980000-0000-7000-8000-000000000001';
    await createTenant(database, { id: tenantId, name: 'vaults', now: Date.UTC(2026, 0, 5) });
    const root = await realpath(await mkdtemp(join(tmpdir(), 'annals-vault-')));
    const fixture = new VaultStageFixture(testDatabase, database, root, tenantId);
    await fixture.keep();
    return fixture;
  }

  /** Runs the job that keeps the vault on, on another database than the fixture's if one is given. */
  keep(database: Partial<Database> = this.database): Promise<unknown> {
    const { signal } = new AbortController();
    const run = { database: database as Database, clock: this.clock, signal, cursor: null, budgetMs: 5_000 };
    return createVaultJob(this.root, this.ids).run(run);
  }

  async add(userId: string, content: string): Promise<void> {
    this.clock.advance(1_000);
    const changes = [{ kind: 'observe' as const, memory: newMemory(content, this.clock.now()) }];
    const command = { userId, actor: 'key:spec', node: 'api', changes };
    await this.database.inTenant(this.tenantId, (tx) => writeMemories(tx, command, this.dependencies));
  }

  async erase(userId: string) {
    const command = { userId, actor: 'key:spec', key: AUDIT_KEY };
    const erased = await this.database.inTenant(this.tenantId, (tx) => eraseUser(tx, command, this.dependencies));
    return erased!.receipt;
  }

  /** Until a worker that was writing has certainly noticed that the user was erased. */
  settle(): void {
    this.clock.advance(LEASE_MS + 60_000);
  }

  query<R extends object>(sql: string, parameters: readonly unknown[] = []): Promise<R[]> {
    return this.database.readTenant(this.tenantId, (tx) => tx.query<R>(sql, parameters));
  }

  /** Work of the vault about a subject, or about all. */
  findWork(subjectId: string | null = null): Promise<{ readonly generation: number }[]> {
    return this.query(`SELECT generation FROM work WHERE kind = 'vault' AND ($1::uuid IS NULL OR subject_id = $1)`, [
      subjectId,
    ]);
  }

  async subjectOf(userId: string): Promise<string> {
    const [user] = await this.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [
      userId,
    ]);
    return user!.subject_id;
  }

  async findFolders(subjectId: string): Promise<string[]> {
    const found = await findVaultFolders(this.root, this.tenantId, subjectId);
    return found.map(({ place }) => place);
  }

  async claim(subjectId: string): Promise<LoadedWork> {
    const [row] = await this.findWork(subjectId);
    const { tenantId } = this;
    const about = { kind: 'vault', subjectId, generation: row!.generation } as const;
    return this.database.inTenant(tenantId, async (tx) => {
      const claimed = await claimWork(tx, { ...about, now: this.clock.now(), leaseMs: LEASE_MS });
      if (claimed.outcome !== 'claimed') throw new Error(`The work is ${claimed.outcome}.`);
      const { id, fence, attempts } = claimed;
      return { work: { ...about, tenantId, id, fence, attempts }, subject: await this.stage.load(tx, subjectId) };
    });
  }

  finish({ work, subject }: LoadedWork): Promise<WorkEnding> {
    const signal = new AbortController().signal;
    // Who is writing has finished as soon as it is waited for.
    const withoutSlot = <T>(wait: () => Promise<T>) => {
      const waiting = wait();
      this.clock.advance(60_000);
      return waiting;
    };
    const attempt = { signal, withoutSlot } as JobAttempt;
    return this.stage.run(work, subject, attempt);
  }

  async run(subjectId: string): Promise<WorkEnding> {
    return this.finish(await this.claim(subjectId));
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
    await rm(this.root, { recursive: true, force: true });
  }

  private get dependencies() {
    return { clock: this.clock, ids: this.ids, randomBytes };
  }

  private get stage() {
    const { database, clock, ids, root } = this;
    const given = {
      database,
      clock,
      ids,
      rng: new SeededRng(1),
      metrics: { inc: () => {}, add: () => {} },
      logger: {
        info: () => {},
        warn: (_event: string, { reason }: { reason: string }) => void this.reasons.push(reason),
      },
      secrets: { audit: AUDIT_KEY },
    };
    return createVaultStage(given as never, {
      root,
      hasGit: true,
      searchPath: SEARCH_PATH,
      leaseMs: LEASE_MS,
      edits: this.isWatched ? this.edits : null,
    });
  }

  private get edits() {
    const { database, clock, checks } = this;
    const config = { redaction: { defaultCountry: 'US', personalIds: 'keep' }, retention: { purgeAfterMs: 1 } };
    const secrets = { pseudonyms: Buffer.alloc(32, 4) };
    const redactors = new Redactors(database, config as never, secrets, clock, { error: () => {} } as never);
    return { redactors, config: { ...config, writing: { checks } } as never, leaseMs: LEASE_MS };
  }
}

import { type MemoryChange, type NewMemory, SeededRng } from '@annals/domain';
import { acceptMessages, type AuditFinding, recordAccess, verifyHistory, writeMemories } from '@annals/storage';
import { newMemory, newMessage, newPost } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { createExpiryJob, createPurgeJob } from './jobs/lifecycle-jobs.js';
import { MaintenanceFixture } from './maintenance.fixture.js';
import {
  RETAINED_IMPORTANCE,
  type SimulatedMemory,
  PURGE_DAYS,
  SimulatedLifecycle,
  TTL_DAYS,
} from './simulated-lifecycle.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 365;
/** In days: maintenance also has work on the days in between. */
const DAYS_BETWEEN_CONVERSATIONS = 3;
const RETENTION = {
  ttlMs: TTL_DAYS * DAY_MS,
  minRetainedImportance: RETAINED_IMPORTANCE,
  purgeAfterMs: PURGE_DAYS * DAY_MS,
  intervalMs: 60 * 60 * 1_000,
};

/** One user of one tenant: every action is applied to the database and to the reference model. */
class SimulatedUser {
  readonly lifecycle = new SimulatedLifecycle();
  private messageCount = 0;

  constructor(
    private readonly fixture: MaintenanceFixture,
    readonly tenantId: string,
    readonly userId: string,
    private readonly rng: SeededRng,
  ) {}

  private chance(share: number): boolean {
    return this.rng.nextFloat() < share;
  }

  private write(changes: readonly MemoryChange[]) {
    const { database, clock, ids } = this.fixture;
    const command = { userId: this.userId, actor: 'spec', node: 'api', changes, embeddings: new Map() };
    return database.inTenant(this.tenantId, (tx) =>
      writeMemories(tx, command, { clock, ids, randomBytes, purgeAfterMs: RETENTION.purgeAfterMs }),
    );
  }

  private async change(change: MemoryChange): Promise<string> {
    const written = await this.write([change]);
    if (written.outcome !== 'applied') throw new Error(written.outcome);
    return written.results[0]!.memoryId;
  }

  private async say(): Promise<string> {
    const { database, clock, ids } = this.fixture;
    const content = `${this.userId} speaks for the ${(this.messageCount += 1)}. time`;
    const [row] = await database.inTenant(this.tenantId, async (tx) => {
      await acceptMessages(
        tx,
        newPost([newMessage(content, clock.now())], clock.now(), {
          userId: this.userId,
          threadId: 'lifecycle',
          flush: false,
        }),
        ids,
      );
      return tx.query<{ id: string }>('SELECT id FROM messages WHERE content = $1', [content]);
    });
    return row!.id;
  }

  private statement(importance: number, pinned: boolean, messageId: string | null): NewMemory {
    const now = this.fixture.clock.now();
    return newMemory(`${this.userId} owns object number ${this.messageCount} of ${importance} since ${now}`, now, {
      origin: 'extraction',
      importance,
      pinned,
      provider: 'local',
      model: 'local',
      sources: messageId === null ? [] : [{ messageId, quote: 'speaks' }],
    });
  }

  /** Simulates one day of the user: sends a message, and sometimes reads, deletes, restores, edits and corrects. */
  async simulateDay(): Promise<void> {
    const { rng, lifecycle } = this;
    const now = this.fixture.clock.now();
    const messageId = await this.say();
    const importance = 1 + Math.floor(rng.nextFloat() * 5);
    const pinned = this.chance(0.1);
    const memory = this.statement(importance, pinned, messageId);
    lifecycle.add(await this.change({ kind: 'observe', memory }), messageId, importance, pinned, now);
    const isCurrent = ({ state, successor }: SimulatedMemory) => state === 'active' && successor === null;
    if (this.chance(0.4)) await this.read(isCurrent);
    if (this.chance(0.05)) await this.correct(lifecycle.pick(rng, isCurrent)!);
    const edited = this.chance(0.05) ? lifecycle.pick(rng, isCurrent) : undefined;
    if (edited && edited.importance !== 1) {
      await this.change({ kind: 'edit', memoryId: edited.id, patch: { importance: 1 } });
      Object.assign(edited, { importance: 1, usedAt: now });
    }
    const deleted = this.chance(0.05) ? lifecycle.pick(rng, isCurrent) : undefined;
    if (deleted) {
      await this.change({ kind: 'delete', memoryId: deleted.id, by: 'user' });
      lifecycle.delete(deleted, 'user', now);
    }
    const restored = this.chance(0.08) ? lifecycle.pick(rng, ({ state }) => state === 'soft_deleted') : undefined;
    if (restored) {
      await this.change({ kind: 'restore', memoryId: restored.id });
      lifecycle.restore(restored, now);
    }
  }

  private async read(isServed: (memory: SimulatedMemory) => boolean): Promise<void> {
    const now = this.fixture.clock.now();
    const answers = new Set([1, 2, 3].map(() => this.lifecycle.pick(this.rng, isServed)!));
    await this.fixture.database.inTenant(this.tenantId, (tx) =>
      recordAccess(
        tx,
        [...answers].map(({ id }) => ({ memoryId: id, at: now, times: 1 })),
      ),
    );
    for (const memory of answers) Object.assign(memory, { usedAt: now, wasRead: true });
  }

  private async correct(old: SimulatedMemory): Promise<void> {
    const now = this.fixture.clock.now();
    const memory = { ...this.statement(old.importance, old.pinned, null), content: `It was not ${old.id} after all` };
    const id = await this.change({ kind: 'supersede', memoryId: old.id, memory });
    const successor = this.lifecycle.add(id, old.messageId, old.importance, old.pinned, now);
    Object.assign(old, { successor, usedAt: now });
  }
}

describe('expiry and purge over a simulated year', () => {
  let fixture: MaintenanceFixture;
  let users: SimulatedUser[];

  beforeAll(async () => {
    fixture = await MaintenanceFixture.open();
    const tenants = [await fixture.addTenant('one'), await fixture.addTenant('two')];
    users = tenants.map((tenantId, seed) => new SimulatedUser(fixture, tenantId, 'ada', new SeededRng(seed)));
  });
  afterAll(() => fixture.close());

  const createJobs = () => {
    const dependencies = { ids: fixture.ids, metrics: fixture.metrics, retention: RETENTION };
    return [createExpiryJob(dependencies), createPurgeJob(dependencies)];
  };

  const countRows = async ({ tenantId, userId }: SimulatedUser, column: string, table: string) => {
    const rows = await fixture.query<{ word: string; n: number }>(
      tenantId,
      `SELECT ${column} AS word, count(*)::int AS n FROM ${table} WHERE user_id = $1 GROUP BY 1`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ word, n }) => [word, n]));
  };

  it('make every transition exactly once, on its day', async () => {
    const runners = [fixture.addRunner(), fixture.addRunner()];
    for (const runner of runners) for (const job of createJobs()) runner.add(job);
    for (let day = 0; day < DAYS; day += 1) {
      fixture.clock.advance(DAY_MS);
      await Promise.all(runners.map((runner) => runner.runDue()));
      for (const user of users) {
        user.lifecycle.runDailyMaintenance(fixture.clock.now());
        expect({ day, ...(await countRows(user, 'state', 'memories')) }).toEqual({
          day,
          ...user.lifecycle.countByState(),
        });
        if (day % DAYS_BETWEEN_CONVERSATIONS === 0) await user.simulateDay();
      }
    }
    for (const user of users) {
      const { expired, deleted, restored, purged } = user.lifecycle.transitions;
      expect(Math.min(expired, deleted, restored, purged)).toBeGreaterThan(2);
      expect(await countRows(user, 'event', 'history')).toMatchObject({
        TTL: expired,
        DELETE: deleted,
        RESTORE: restored,
        PURGE: purged,
      });
      expect(await countRows(user, 'event', 'change_log')).toMatchObject({ soft_deleted: expired, deleted, restored });
    }
    const sum = (name: 'expired' | 'expiredUnread' | 'purged') =>
      users.reduce((total, { lifecycle }) => total + lifecycle.transitions[name], 0);
    expect(await fixture.count('memory_llm_memories_expired_total')).toBe(sum('expired'));
    expect(await fixture.count('memory_llm_memories_purged_total')).toBe(sum('purged'));
    expect(await fixture.count('memory_llm_memories_junk_total', 'expired_unread')).toBe(sum('expiredUnread'));
  });

  it('leave nothing of purged memories but their audit history', async () => {
    for (const { tenantId, lifecycle } of users) {
      const gone = lifecycle.memories.filter(({ state }) => state === 'purged').map(({ id }) => id);
      const left = await fixture.query(
        tenantId,
        `SELECT 'memory' AS part FROM memories WHERE id = ANY ($1)
         UNION ALL SELECT 'source' FROM memory_sources WHERE memory_id = ANY ($1)
         UNION ALL SELECT 'access' FROM memory_access WHERE memory_id = ANY ($1)
         UNION ALL SELECT 'vector' FROM memory_embeddings WHERE memory_id = ANY ($1)
         UNION ALL SELECT 'unit' FROM lexical_units WHERE memory_id = ANY ($1)
         UNION ALL SELECT 'relation' FROM relations WHERE from_id = ANY ($1) OR to_id = ANY ($1)
         UNION ALL SELECT 'words' FROM history WHERE memory_id = ANY ($1) AND content <> ''`,
        [gone],
      );
      expect(left).toEqual([]);
    }
    for (const tenantId of new Set(users.map((user) => user.tenantId))) {
      const findings: AuditFinding[] = [];
      const report = (finding: AuditFinding) => void findings.push(finding);
      await verifyHistory(fixture.database, { tenantId, report, chainKey: fixture.database.chainKey });
      expect(findings).toEqual([]);
    }
  });

  it('hide the turns of memories that a user deleted, and no others', async () => {
    for (const { tenantId, userId, lifecycle } of users) {
      const hidden = await fixture.query<{ id: string }>(
        tenantId,
        `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.user_id = $1 AND m.hidden_at IS NOT NULL`,
        [userId],
      );
      expect(new Set(hidden.map(({ id }) => id))).toEqual(lifecycle.hiddenMessages);
    }
  });

  it('change nothing when a day is repeated', async () => {
    const before = await Promise.all(users.map((user) => countRows(user, 'event', 'history')));
    const { database, clock } = fixture;
    const run = { database, clock, signal: new AbortController().signal, cursor: null, budgetMs: 60_000 };
    for (const job of createJobs()) {
      expect(await job.run(run)).toMatchObject({ done: 0, cursor: null });
    }
    expect(await Promise.all(users.map((user) => countRows(user, 'event', 'history')))).toEqual(before);
  });
});

import { type MemoryChange, type NewMemory, SeededRng } from '@annals/domain';
import { acceptMessages, type AuditFinding, recordAccess, verifyHistory, writeMemories } from '@annals/storage';
import { newMemory, newMessage, newPost } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { createExpiryJob } from './jobs/expiry-job.js';
import { createPurgeJob } from './jobs/purge-job.js';
import { MaintenanceBench } from './maintenance-bench.contract.js';
import { KEPT_IMPORTANCE, type LivedMemory, PURGE_DAYS, SimulatedLife, TTL_DAYS } from './simulated-life.contract.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 365;
/** In days: maintenance has to do its work on the days between as well. */
const TALKS_EVERY = 3;
const RETENTION = {
  ttlMs: TTL_DAYS * DAY_MS,
  keptImportance: KEPT_IMPORTANCE,
  purgeAfterMs: PURGE_DAYS * DAY_MS,
  intervalMs: 60 * 60 * 1_000,
};

/** One user of one tenant: everything is done in the database and in the plain rules. */
class LivedUser {
  readonly life = new SimulatedLife();
  private said = 0;

  constructor(
    private readonly bench: MaintenanceBench,
    readonly tenantId: string,
    readonly userId: string,
    private readonly rng: SeededRng,
  ) {}

  private chance(share: number): boolean {
    return this.rng.nextFloat() < share;
  }

  private write(changes: readonly MemoryChange[]) {
    const { database, clock, ids } = this.bench;
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
    const { database, clock, ids } = this.bench;
    const content = `${this.userId} speaks for the ${(this.said += 1)}. time`;
    const [row] = await database.inTenant(this.tenantId, async (tx) => {
      await acceptMessages(
        tx,
        newPost([newMessage(content, clock.now())], clock.now(), {
          userId: this.userId,
          threadId: 'life',
          flush: false,
        }),
        ids,
      );
      return tx.query<{ id: string }>('SELECT id FROM messages WHERE content = $1', [content]);
    });
    return row!.id;
  }

  private statement(importance: number, pinned: boolean, messageId: string | null): NewMemory {
    const now = this.bench.clock.now();
    return newMemory(`${this.userId} owns object number ${this.said} of ${importance} since ${now}`, now, {
      origin: 'extraction',
      importance,
      pinned,
      provider: 'local',
      model: 'local',
      sources: messageId === null ? [] : [{ messageId, quote: 'speaks' }],
    });
  }

  /** A day of a user: says something, and sometimes reads, deletes, restores, edits and corrects. */
  async liveDay(): Promise<void> {
    const { rng, life } = this;
    const now = this.bench.clock.now();
    const messageId = await this.say();
    const importance = 1 + Math.floor(rng.nextFloat() * 5);
    const pinned = this.chance(0.1);
    const memory = this.statement(importance, pinned, messageId);
    life.add(await this.change({ kind: 'observe', memory }), messageId, importance, pinned, now);
    const isCurrent = ({ state, successor }: LivedMemory) => state === 'active' && successor === null;
    if (this.chance(0.4)) await this.read(isCurrent);
    if (this.chance(0.05)) await this.correct(life.pick(rng, isCurrent)!);
    const edited = this.chance(0.05) ? life.pick(rng, isCurrent) : undefined;
    if (edited && edited.importance !== 1) {
      await this.change({ kind: 'edit', memoryId: edited.id, patch: { importance: 1 } });
      Object.assign(edited, { importance: 1, usedAt: now });
    }
    const deleted = this.chance(0.05) ? life.pick(rng, isCurrent) : undefined;
    if (deleted) {
      await this.change({ kind: 'delete', memoryId: deleted.id, by: 'user' });
      life.delete(deleted, 'user', now);
    }
    const restored = this.chance(0.08) ? life.pick(rng, ({ state }) => state === 'soft_deleted') : undefined;
    if (restored) {
      await this.change({ kind: 'restore', memoryId: restored.id });
      life.restore(restored, now);
    }
  }

  private async read(isServed: (memory: LivedMemory) => boolean): Promise<void> {
    const now = this.bench.clock.now();
    const answers = new Set([1, 2, 3].map(() => this.life.pick(this.rng, isServed)!));
    await this.bench.database.inTenant(this.tenantId, (tx) =>
      recordAccess(
        tx,
        [...answers].map(({ id }) => ({ memoryId: id, at: now, times: 1 })),
      ),
    );
    for (const memory of answers) Object.assign(memory, { usedAt: now, wasRead: true });
  }

  private async correct(old: LivedMemory): Promise<void> {
    const now = this.bench.clock.now();
    const memory = { ...this.statement(old.importance, old.pinned, null), content: `It was not ${old.id} after all` };
    const id = await this.change({ kind: 'supersede', memoryId: old.id, memory });
    const successor = this.life.add(id, old.messageId, old.importance, old.pinned, now);
    Object.assign(old, { successor, usedAt: now });
  }
}

describe('a year', () => {
  let bench: MaintenanceBench;
  let users: LivedUser[];

  beforeAll(async () => {
    bench = await MaintenanceBench.open();
    const tenants = [await bench.addTenant('one'), await bench.addTenant('two')];
    users = tenants.map((tenantId, seed) => new LivedUser(bench, tenantId, 'ada', new SeededRng(seed)));
  });
  afterAll(() => bench.close());

  const createJobs = () => {
    const dependencies = { ids: bench.ids, metrics: bench.metrics, retention: RETENTION };
    return [createExpiryJob(dependencies), createPurgeJob(dependencies)];
  };

  const countRows = async ({ tenantId, userId }: LivedUser, column: string, table: string) => {
    const rows = await bench.look<{ word: string; n: number }>(
      tenantId,
      `SELECT ${column} AS word, count(*)::int AS n FROM ${table} WHERE user_id = $1 GROUP BY 1`,
      [userId],
    );
    return Object.fromEntries(rows.map(({ word, n }) => [word, n]));
  };

  it('sees every transition exactly once, on its day', async () => {
    const runners = [bench.addRunner(), bench.addRunner()];
    for (const runner of runners) for (const job of createJobs()) runner.add(job);
    for (let day = 0; day < DAYS; day += 1) {
      bench.clock.advance(DAY_MS);
      await Promise.all(runners.map((runner) => runner.runDue()));
      for (const user of users) {
        user.life.passDay(bench.clock.now());
        expect({ day, ...(await countRows(user, 'state', 'memories')) }).toEqual({ day, ...user.life.countByState() });
        if (day % TALKS_EVERY === 0) await user.liveDay();
      }
    }
    for (const user of users) {
      const { expired, deleted, restored, purged } = user.life.happened;
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
      users.reduce((total, { life }) => total + life.happened[name], 0);
    expect(await bench.count('memory_llm_memories_expired_total')).toBe(sum('expired'));
    expect(await bench.count('memory_llm_memories_purged_total')).toBe(sum('purged'));
    expect(await bench.count('memory_llm_memories_junk_total', 'expired_unread')).toBe(sum('expiredUnread'));
  }, 300_000);

  it('leaves nothing of what was purged but the proof that it was there', async () => {
    for (const { tenantId, life } of users) {
      const gone = life.memories.filter(({ state }) => state === 'purged').map(({ id }) => id);
      const left = await bench.look(
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
      await verifyHistory(bench.database, tenantId, (finding) => findings.push(finding));
      expect(findings).toEqual([]);
    }
  });

  it('hides the turns of what a user deleted, and no others', async () => {
    for (const { tenantId, userId, life } of users) {
      const hidden = await bench.look<{ id: string }>(
        tenantId,
        `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE c.user_id = $1 AND m.hidden_at IS NOT NULL`,
        [userId],
      );
      expect(new Set(hidden.map(({ id }) => id))).toEqual(life.hiddenMessages);
    }
  });

  it('changes nothing when a day is done again', async () => {
    const before = await Promise.all(users.map((user) => countRows(user, 'event', 'history')));
    const { database, clock } = bench;
    const run = { database, clock, signal: new AbortController().signal, cursor: null, budgetMs: 60_000 };
    for (const job of createJobs()) {
      expect(await job.run(run)).toMatchObject({ done: 0, cursor: null });
    }
    expect(await Promise.all(users.map((user) => countRows(user, 'event', 'history')))).toEqual(before);
  });
});

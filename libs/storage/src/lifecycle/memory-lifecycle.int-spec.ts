import type { MemoryChange, NewMemory } from '@annals/domain';
import { newMemory } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { persistBatch } from '../fixtures/persist-batch.fixture.js';
import { post, buildMessage } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { writeMemories } from '../memories/write-memories.js';
import {
  expireMemories,
  findExpired,
  restoreExpiredMemories,
  findPurgeable,
  PURGE_START,
  purgeMemories,
} from './expire-and-purge.js';
import { recordAccess } from './record-access.js';
import { SCAN_START } from './memory-scan.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const USER = 'ada';

describe('memory lifecycle', () => {
  let fixture: StorageFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes, purgeAfterMs: 30 * DAY_MS });

  async function change(...changes: MemoryChange[]): Promise<string[]> {
    const command = { userId: USER, actor: 'spec', node: 'api', changes, embeddings: new Map() };
    const written = await fixture.inTenant(tenantId, (tx) => writeMemories(tx, command, dependencies()));
    if (written.outcome !== 'applied') throw new Error(written.outcome);
    return written.results.map((result) => result.memoryId);
  }

  async function remember(content: string, fields: Partial<NewMemory> = {}): Promise<string> {
    const memory = newMemory(content, fixture.clock.now(), { importance: 1, ...fields });
    return (await change({ kind: 'observe', memory }))[0]!;
  }

  async function postAndRemember(content: string): Promise<{ memoryId: string; messageId: string }> {
    await post(fixture, tenantId, { messages: [buildMessage(content)], userId: USER });
    const [row] = await fixture.queryAsSuperuser<{ id: string }>(
      'SELECT id FROM messages WHERE tenant_id = $1 AND content = $2',
      [tenantId, content],
    );
    const sources = [{ messageId: row!.id, quote: content }];
    return { memoryId: await remember(content, { sources }), messageId: row!.id };
  }

  const read = (...memoryIds: string[]) =>
    fixture.inTenant(tenantId, (tx) =>
      recordAccess(
        tx,
        memoryIds.map((memoryId) => ({ memoryId, at: fixture.clock.now(), times: 1 })),
      ),
    );

  const ruleAfter = (days: number) => ({ idleSince: fixture.clock.now() - days * DAY_MS, minRetainedImportance: 3 });

  async function expire(days = 60): Promise<number> {
    const rule = ruleAfter(days);
    const { due } = await findExpired(fixture.database, rule, { after: SCAN_START, scan: 10_000 });
    const memoryIds = due.filter((memory) => memory.tenantId === tenantId).map(({ memoryId }) => memoryId);
    if (memoryIds.length === 0) return 0;
    const { expired } = await fixture.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: USER, memoryIds, rule }, dependencies()),
    );
    return expired;
  }

  async function purge(): Promise<number> {
    const now = fixture.clock.now();
    const { due } = await findPurgeable(fixture.database, { now, after: PURGE_START, limit: 10_000 });
    const memoryIds = due.filter((memory) => memory.tenantId === tenantId).map(({ memoryId }) => memoryId);
    return fixture.inTenant(tenantId, (tx) => purgeMemories(tx, { userId: USER, memoryIds }, dependencies()));
  }

  const statesOf = async () =>
    Object.fromEntries(
      (
        await fixture.queryAsSuperuser<{ content: string; state: string }>(
          'SELECT content, state FROM memories WHERE tenant_id = $1',
          [tenantId],
        )
      ).map(({ content, state }) => [content, state]),
    );

  it('expires a memory after 60 days without a read, unless it is pinned or important', async () => {
    await remember('unread');
    await remember('important', { importance: 3 });
    await remember('pinned', { pinned: true });
    const wasRead = await remember('read');
    await remember('quarantined', { quarantineReason: 'quote_not_found', origin: 'extraction' });
    fixture.clock.advance(60 * DAY_MS);
    await read(wasRead);
    expect(await expire()).toBe(0);
    fixture.clock.advance(1);
    expect(await expire()).toBe(2);
    expect(await statesOf()).toEqual({
      unread: 'soft_deleted',
      important: 'active',
      pinned: 'active',
      read: 'active',
      quarantined: 'soft_deleted',
    });
    expect(await expire()).toBe(0);
  });

  it('restarts the 60 days at the last change, and when a message repeats the memory', async () => {
    const edited = await remember('edited', { importance: 2 });
    const restored = await remember('restored');
    fixture.clock.advance(61 * DAY_MS);
    await change({ kind: 'edit', memoryId: edited, patch: { importance: 1 } });
    expect(await expire()).toBe(1);
    await change({ kind: 'restore', memoryId: restored });
    expect(await expire()).toBe(0);
    await postAndRemember('said again');
    fixture.clock.reset(Date.UTC(2026, 0, 5, 8) + 60 * DAY_MS);
    expect((await statesOf())['said again']).toBe('active');
  });

  it('retains a superseded memory as long as its successor is not deleted, at any age', async () => {
    const first = await remember('Ada lives in Bern');
    const [second] = await change({
      kind: 'supersede',
      memoryId: first,
      memory: newMemory('Ada lives in Ghent', fixture.clock.now(), { importance: 1, pinned: true }),
    });
    fixture.clock.advance(100 * DAY_MS);
    expect(await expire()).toBe(0);
    await change({ kind: 'delete', memoryId: second!, by: 'user' });
    expect(await expire()).toBe(1);
    expect(await statesOf()).toEqual({ 'Ada lives in Bern': 'soft_deleted', 'Ada lives in Ghent': 'soft_deleted' });
  });

  it('expires a superseded insight while its successor lives, and does not count it as junk', async () => {
    const insight = (content: string, importance: number) =>
      newMemory(content, fixture.clock.now(), { type: 'insight', origin: 'extraction', importance });
    const [first] = await change({ kind: 'observe', memory: insight('Likes short answers', 2) });
    await change({ kind: 'supersede', memoryId: first!, memory: insight('Likes detailed answers', 3) });
    fixture.clock.advance(61 * DAY_MS);
    const rule = ruleAfter(60);
    const done = await fixture.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: USER, memoryIds: [first!], rule }, dependencies()),
    );
    expect(done).toEqual({ expired: 1, unread: 0 });
    expect(await statesOf()).toEqual({ 'Likes short answers': 'soft_deleted', 'Likes detailed answers': 'active' });
  });

  it('checks the rule again under the lock: a memory that was read, pinned or changed meanwhile stays', async () => {
    const [readMeanwhile, pinned, left] = [await remember('a'), await remember('b'), await remember('c')];
    fixture.clock.advance(61 * DAY_MS);
    const rule = ruleAfter(60);
    await read(readMeanwhile);
    await change({ kind: 'edit', memoryId: pinned, patch: { pinned: true } });
    const memoryIds = [readMeanwhile, pinned, left];
    const done = await fixture.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: USER, memoryIds, rule }, dependencies()),
    );
    expect([done.expired, await statesOf()]).toEqual([1, { a: 'active', b: 'active', c: 'soft_deleted' }]);
  });

  it('counts extracted memories that were never read as junk', async () => {
    await remember('never read', { origin: 'extraction' });
    await remember('by hand');
    const wasRead = await remember('read once', { origin: 'extraction' });
    await read(wasRead);
    fixture.clock.advance(61 * DAY_MS);
    const rule = ruleAfter(60);
    const { due } = await findExpired(fixture.database, rule, { after: SCAN_START, scan: 10_000 });
    const memoryIds = due.filter((memory) => memory.tenantId === tenantId).map(({ memoryId }) => memoryId);
    const done = await fixture.inTenant(tenantId, (tx) =>
      expireMemories(tx, { userId: USER, memoryIds, rule }, dependencies()),
    );
    expect(done).toEqual({ expired: 3, unread: 1 });
  });

  it('scans all memories in steps, from any position', async () => {
    for (const content of ['a', 'b', 'c', 'd', 'e']) await remember(content);
    fixture.clock.advance(61 * DAY_MS);
    const found: string[] = [];
    let position: typeof SCAN_START | null = { ...SCAN_START, tenantId };
    for (let steps = 0; position !== null && steps < 10; steps += 1) {
      const step: Awaited<ReturnType<typeof findExpired>> = await findExpired(fixture.database, ruleAfter(60), {
        after: position,
        scan: 2,
      });
      found.push(...step.due.filter((memory) => memory.tenantId === tenantId).map(({ memoryId }) => memoryId));
      position = step.position;
    }
    expect(found).toHaveLength(5);
    expect(new Set(found).size).toBe(5);
  });

  it('allows a restore for 30 days, and purges the memory after them', async () => {
    const kept = await remember('restored in time');
    await remember('forgotten');
    fixture.clock.advance(61 * DAY_MS);
    expect(await expire()).toBe(2);
    fixture.clock.advance(30 * DAY_MS - 1);
    expect(await purge()).toBe(0);
    await change({ kind: 'restore', memoryId: kept });
    fixture.clock.advance(1);
    expect(await purge()).toBe(1);
    expect(await statesOf()).toEqual({ 'restored in time': 'active' });
  });

  it('deletes with a purge what was merged into the memory and left by a release that deleted that alone', async () => {
    const [kept, twin] = [await remember('Ada likes tea'), await remember('Ada really likes tea')];
    const statement = newMemory('Ada really likes tea', fixture.clock.now());
    await change({ kind: 'compare', memoryId: twin, statement, same: [{ memoryId: kept, revision: 1 }] });
    await change({ kind: 'delete', memoryId: kept, by: 'user' });
    await fixture.queryAsSuperuser(
      `UPDATE memories SET state = 'active', deleted_at = NULL, deleted_by = NULL, purge_at = NULL WHERE id = $1`,
      [twin],
    );
    fixture.clock.advance(31 * DAY_MS);
    expect([await purge(), await statesOf()]).toEqual([1, { 'Ada really likes tea': 'soft_deleted' }]);
    const events = await fixture.queryAsSuperuser<{ event: string }>(
      'SELECT event FROM history WHERE memory_id = $1 ORDER BY seq DESC LIMIT 1',
      [twin],
    );
    expect(events).toEqual([{ event: 'DELETE' }]);
    fixture.clock.advance(31 * DAY_MS);
    expect([await purge(), await statesOf()]).toEqual([1, {}]);
  });

  it('does not raise thread revisions for a purge, since the deletion did', async () => {
    const { memoryId } = await postAndRemember('told once');
    const count = async () =>
      Number(
        (await fixture.queryAsSuperuser(`SELECT count(*) FROM change_log WHERE tenant_id = $1`, [tenantId]))[0]!.count,
      );
    await change({ kind: 'delete', memoryId, by: 'user' });
    const changesBefore = await count();
    fixture.clock.advance(31 * DAY_MS);
    expect([await purge(), await count()]).toEqual([1, changesBefore]);
  });

  it('purges content from the history and hides the turns of memories that a user deleted', async () => {
    const deleted = await postAndRemember('my secret');
    const expired = await postAndRemember('my shoes');
    await change({ kind: 'delete', memoryId: deleted.memoryId, by: 'user' });
    await change({ kind: 'delete', memoryId: expired.memoryId, by: 'ttl' });
    fixture.clock.advance(31 * DAY_MS);
    expect(await purge()).toBe(2);
    const messages = await fixture.queryAsSuperuser(
      'SELECT id, hidden_at IS NOT NULL AS hidden FROM messages WHERE tenant_id = $1',
      [tenantId],
    );
    expect(new Map(messages.map((row) => [row.id, row.hidden]))).toEqual(
      new Map([
        [deleted.messageId, true],
        [expired.messageId, false],
      ]),
    );
    const history = await fixture.queryAsSuperuser<{ event: string; content: string | null; salted: boolean }>(
      `SELECT event, content, salt IS NOT NULL AS salted FROM history WHERE tenant_id = $1 ORDER BY seq`,
      [tenantId],
    );
    expect(history.map(({ event, content }) => [event, content])).toEqual([
      ['ADD', null],
      ['ADD', null],
      ['DELETE', null],
      ['TTL', null],
      ['PURGE', ''],
      ['PURGE', ''],
    ]);
    expect(history.filter(({ salted }) => salted)).toHaveLength(2);
  });

  it('purges content from the model’s answers as well, once their batch is done', async () => {
    const { memoryId } = await postAndRemember('my diary');
    await fixture.queryAsSuperuser(
      `INSERT INTO extractions (tenant_id, batch_id, user_id, provider, model, answer, items, created_at)
       SELECT tenant_id, id, user_id, 'local', 'local', 'my diary', '[{"content": "my diary"}]', accepted_at
         FROM batches WHERE tenant_id = $1`,
      [tenantId],
    );
    await change({ kind: 'delete', memoryId, by: 'user' });
    fixture.clock.advance(31 * DAY_MS);
    await fixture.queryAsSuperuser(`UPDATE batches SET state = 'done' WHERE tenant_id = $1`, [tenantId]);
    expect(await purge()).toBe(1);
    expect(
      await fixture.queryAsSuperuser('SELECT answer, items FROM extractions WHERE tenant_id = $1', [tenantId]),
    ).toEqual([{ answer: null, items: [] }]);
  });

  it('records no event for memories that no longer exist, as for jobs that run after an erasure', async () => {
    const gone = { userId: USER, memoryIds: [fixture.ids.next()] };
    await fixture.inTenant(tenantId, (tx) => purgeMemories(tx, gone, dependencies()));
    await fixture.inTenant(tenantId, (tx) => restoreExpiredMemories(tx, gone, dependencies()));
    expect(await fixture.queryAsSuperuser('SELECT op FROM events WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });

  it('purges content from the answers also when no message supports the memory', async () => {
    const { batchIds } = await post(fixture, tenantId, {
      messages: [buildMessage('She called.')],
      userId: USER,
      flush: true,
    });
    const observe = (content: string): MemoryChange => ({
      kind: 'observe',
      memory: newMemory(content, fixture.clock.now(), { origin: 'extraction', quarantineReason: 'quote_not_found' }),
    });
    const [memoryId] = await persistBatch(fixture, tenantId, {
      userId: USER,
      batchId: batchIds[0]!,
      answer: 'Eva called.',
      items: [{ content: 'Eva called.', category: 'event', type: 'episodic', importance: 1, evidence: [] }],
      changes: [observe('Eva called.')],
    });
    await change({ kind: 'reject', memoryId: memoryId! });
    fixture.clock.advance(31 * DAY_MS);
    expect(await purge()).toBe(1);
    expect(
      await fixture.queryAsSuperuser('SELECT answer, items FROM extractions WHERE tenant_id = $1', [tenantId]),
    ).toEqual([{ answer: null, items: [] }]);
  });

  it('rejects a purge before the memory is due, and one by another tenant', async () => {
    const memoryId = await remember('not yet');
    const call = (tenant: string) =>
      fixture.inTenant(tenant, (tx) => tx.execute('SELECT purge_memories($1, $2)', [[memoryId], new Date(8e15)]));
    await expect(call(tenantId)).rejects.toThrow('Only memories that are due can be purged.');
    await change({ kind: 'delete', memoryId, by: 'user' });
    await expect(call(await fixture.addTenant())).rejects.toThrow('Only memories that are due can be purged.');
    expect(await statesOf()).toEqual({ 'not yet': 'soft_deleted' });
  });

  it('lets a user delete an expired memory, which is then not created again when a message repeats it', async () => {
    const memoryId = await remember('Ada smokes', { origin: 'extraction' });
    fixture.clock.advance(61 * DAY_MS);
    expect(await expire()).toBe(1);
    await change({ kind: 'delete', memoryId, by: 'user' });
    await remember('Ada smokes', { origin: 'extraction', saidAt: fixture.clock.now() - 1 });
    expect(await statesOf()).toEqual({ 'Ada smokes': 'soft_deleted' });
  });
});

describe('recordAccess', () => {
  let fixture: StorageFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  async function remember(count: number): Promise<string[]> {
    const changes = Array.from({ length: count }, (_, n) => ({
      kind: 'observe' as const,
      memory: newMemory(`object ${n} of ${fixture.ids.next()}`, fixture.clock.now()),
    }));
    const command = { userId: USER, actor: 'spec', node: 'api', changes, embeddings: new Map() };
    const written = await fixture.inTenant(tenantId, (tx) =>
      writeMemories(tx, command, { clock: fixture.clock, ids: fixture.ids, randomBytes }),
    );
    return written.outcome === 'applied' ? written.results.map((result) => result.memoryId) : [];
  }

  it('sums up accesses, keeps the latest time and ignores memories that no longer exist', async () => {
    const [memoryId] = await remember(1);
    const now = fixture.clock.now();
    const recordRead = (id: string, at: number, times: number) =>
      fixture.inTenant(tenantId, (tx) => recordAccess(tx, [{ memoryId: id, at, times }]));
    await recordRead(memoryId!, now + 5_000, 2);
    await recordRead(memoryId!, now, 3);
    expect(await recordRead(fixture.ids.next(), now, 1)).toEqual({ busy: [], expired: [] });
    expect(
      await fixture.queryAsSuperuser('SELECT last_accessed_at, access_count FROM memory_access WHERE memory_id = $1', [
        memoryId,
      ]),
    ).toEqual([{ last_accessed_at: new Date(now + 5_000), access_count: 5 }]);
  });

  it('updates in place, without a new entry in any index (HOT), and does not update the memories', async () => {
    const memoryIds = await remember(20);
    const accesses = memoryIds.map((memoryId) => ({ memoryId, at: fixture.clock.now(), times: 1 }));
    const record = () => fixture.inTenant(tenantId, (tx) => recordAccess(tx, accesses));
    await record();
    const counters = (table: string) =>
      `pg_stat_get_xact_tuples_updated('${table}'::regclass)::int AS ${table},
       pg_stat_get_xact_tuples_hot_updated('${table}'::regclass)::int AS ${table}_hot`;
    const moved: Record<string, number> = {};
    for (let round = 0; round < 5; round += 1) {
      await fixture.inTenant(tenantId, async (tx) => {
        const sql = `SELECT ${counters('memory_access')}, ${counters('memories')}`;
        const [before] = await tx.query<Record<string, number>>(sql);
        await recordAccess(tx, accesses);
        const [after] = await tx.query<Record<string, number>>(sql);
        for (const [name, value] of Object.entries(after!)) moved[name] = (moved[name] ?? 0) + value - before![name]!;
      });
    }
    expect(moved).toMatchObject({ memory_access: 100, memories: 0 });
    // Space on a page is reclaimed when no snapshot needs the older rows any more, which a running vacuum can delay.
    expect(moved.memory_access_hot).toBeGreaterThan(50);
  });

  it('returns memories that expired after they were read', async () => {
    const [memoryId] = await remember(1);
    const changes = [{ kind: 'delete', memoryId: memoryId!, by: 'ttl' }] as const;
    const command = { userId: USER, actor: 'spec', node: 'api', changes, embeddings: new Map() };
    await fixture.inTenant(tenantId, (tx) =>
      writeMemories(tx, command, { clock: fixture.clock, ids: fixture.ids, randomBytes }),
    );
    const accesses = [{ memoryId: memoryId!, at: fixture.clock.now(), times: 1 }];
    expect(await fixture.inTenant(tenantId, (tx) => recordAccess(tx, accesses))).toEqual({
      busy: [],
      expired: [{ memoryId, userId: USER }],
    });
  });
});

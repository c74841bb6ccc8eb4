import { StorageFixture } from '../fixtures/storage.fixture.js';
import { InvalidCursorError } from '../database/cursor.js';
import { type SaveCheckpointInput, saveCheckpoint } from './save-checkpoint.js';
import { deleteCheckpoint, pruneCheckpoints, type PruneCursor } from './delete-checkpoints.js';
import { listCheckpoints, loadCheckpoint } from './read-checkpoint.js';

const DAY_MS = 86_400_000;

const toJson = (value: unknown) => Buffer.from(JSON.stringify(value));

/** An agent's state of a thread after `count` messages: each save changes it at several positions. */
function makeThread(count: number): Buffer {
  const messages = Array.from({ length: count }, (_, n) => ({
    id: `message-${n}`,
    type: n % 2 === 0 ? 'human' : 'ai',
    content: `Message ${n} about ${(n * 7_919) % 1_013}: ${Array.from({ length: 50 }, (_word, w) => (n * 31 + w * 17) % 997).join(' ')}`,
  }));
  return toJson({
    v: 1,
    id: `step-${count}`,
    channel_values: { messages, step: count },
    versions: { messages: count },
  });
}

describe('checkpoints', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let threads = 0;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const newThread = () => ({ userId: 'ada', threadId: `thread-${++threads}` });
  type ThreadKey = ReturnType<typeof newThread>;
  const save = (threadKey: ThreadKey, state: Buffer, overrides: Partial<SaveCheckpointInput> = {}) =>
    fixture.inTenant(tenantId, (tx) =>
      saveCheckpoint(tx, {
        ...threadKey,
        state,
        expectedVersion: null,
        keepVersions: 50,
        now: fixture.clock.now(),
        ...overrides,
      }),
    );
  const load = (threadKey: ThreadKey, version?: number) =>
    fixture.inTenant(tenantId, (tx) => loadCheckpoint(tx, { ...threadKey, version }));
  const remove = (threadKey: ThreadKey, expectedVersion: number | null = null) =>
    fixture.inTenant(tenantId, (tx) =>
      deleteCheckpoint(tx, { ...threadKey, expectedVersion, now: fixture.clock.now() }),
    );
  const countStored = async ({ threadId }: ThreadKey) => {
    const [row] = await fixture.queryAsSuperuser<{ versions: number; bytes: number }>(
      `SELECT count(*)::int AS versions, coalesce(sum(octet_length(body)), 0)::int AS bytes
         FROM checkpoint_versions WHERE thread_id = $1`,
      [threadId],
    );
    return row!;
  };

  it('are returned as they were saved, byte for byte', async () => {
    const threadKey = newThread();
    const state = Buffer.from(
      '{"big":12345678901234567890,"one":1.0,"nul":"\\u0000","twice":1,"twice":2,"é":"\\ud800"}',
    );
    expect(await save(threadKey, state)).toMatchObject({
      outcome: 'saved',
      isFirst: true,
      info: { version: 1, bytes: state.length },
    });
    const loaded = await load(threadKey);
    expect(loaded?.state.equals(state)).toBe(true);
    expect(loaded).toMatchObject({ version: 1, info: { user_id: 'ada', oldest_version: 1, bytes: state.length } });
  });

  it('retain each version, whether it is stored in full or as a delta', async () => {
    const threadKey = newThread();
    const states = Array.from({ length: 60 }, (_, n) => (n % 17 === 16 ? toJson({ other: n }) : makeThread(n)));
    for (const state of states) await save(threadKey, state, { keepVersions: 100 });
    for (const [index, state] of states.entries())
      expect((await load(threadKey, index + 1))?.state.toString()).toBe(state.toString());
    expect((await load(threadKey))?.version).toBe(60);
    expect(await load(threadKey, 61)).toBeNull();
    expect(await load(newThread())).toBeNull();
  });

  it('store deltas: a thread of 240 messages saved after each takes less than three times its last state', async () => {
    const threadKey = newThread();
    for (let count = 1; count <= 240; count += 1) await save(threadKey, makeThread(count), { keepVersions: 1_000 });
    const last = makeThread(240).length;
    const { versions, bytes } = await countStored(threadKey);
    expect(versions).toBe(240);
    expect(bytes / last).toBeLessThan(3);
    expect((await load(threadKey, 7))?.state.equals(makeThread(7))).toBe(true);
    expect((await load(threadKey))?.state.equals(makeThread(240))).toBe(true);
  });

  it('return the last `keepVersions` versions, and store few more', async () => {
    const threadKey = newThread();
    for (let count = 1; count <= 100; count += 1) await save(threadKey, makeThread(count), { keepVersions: 5 });
    expect(await load(threadKey, 95)).toBeNull();
    expect((await load(threadKey))?.info).toMatchObject({ version: 100, oldest_version: 96 });
    for (const version of [96, 97, 98, 99, 100])
      expect((await load(threadKey, version))?.state.equals(makeThread(version))).toBe(true);
    expect((await countStored(threadKey)).versions).toBeLessThan(80);
  });

  it('reject a save with an outdated expected version, and return the current one', async () => {
    const threadKey = newThread();
    expect(await save(threadKey, toJson(1), { expectedVersion: 3 })).toEqual({ outcome: 'conflict', version: 0 });
    expect(await save(threadKey, toJson(1), { expectedVersion: 0 })).toMatchObject({ outcome: 'saved' });
    expect(await save(threadKey, toJson(2), { expectedVersion: 0 })).toEqual({ outcome: 'conflict', version: 1 });
    expect(await save(threadKey, toJson(2), { expectedVersion: 1 })).toMatchObject({ outcome: 'saved' });
    expect((await load(threadKey))?.state.toString()).toBe('2');
  });

  it.each([0, 1])('let exactly one of many concurrent saves succeed that expect version %i', async (known) => {
    const threadKey = newThread();
    if (known === 1) await save(threadKey, toJson('first'));
    const savers = Array.from({ length: 12 }, (_, n) =>
      save(threadKey, toJson(`saver ${n}`), { expectedVersion: known }),
    );
    const results = await Promise.all(savers);
    expect(results.filter(({ outcome }) => outcome === 'saved')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'conflict')).toEqual(
      Array.from({ length: 11 }, () => ({ outcome: 'conflict', version: known + 1 })),
    );
    const winner = results.findIndex(({ outcome }) => outcome === 'saved');
    expect((await load(threadKey))?.state.toString()).toBe(JSON.stringify(`saver ${winner}`));
  });

  it('lose no version of concurrent saves without an expected version, each based on the one before', async () => {
    const threadKey = newThread();
    const states = Array.from({ length: 16 }, (_, n) => makeThread(n));
    await Promise.all(states.map((state) => save(threadKey, state)));
    const found = new Set<string>();
    for (let version = 1; version <= 16; version += 1) found.add((await load(threadKey, version))!.state.toString());
    expect(found).toEqual(new Set(states.map((state) => state.toString())));
  });

  it('are saved completely or not at all', async () => {
    const threadKey = newThread();
    await save(threadKey, makeThread(3));
    const broken = fixture.inTenant(tenantId, async (tx) => {
      await saveCheckpoint(tx, { ...threadKey, state: makeThread(4), expectedVersion: 1, keepVersions: 5, now: 0 });
      throw new Error('killed before the commit');
    });
    await expect(broken).rejects.toThrow('killed');
    expect((await load(threadKey))?.info.version).toBe(1);
    expect(await save(threadKey, makeThread(4), { expectedVersion: 1 })).toMatchObject({ outcome: 'saved' });
  });

  it('are deleted with their versions, and continue the version count', async () => {
    const threadKey = newThread();
    for (const count of [1, 2, 3]) await save(threadKey, makeThread(count));
    expect(await remove(threadKey, 2)).toEqual({ outcome: 'conflict', version: 3 });
    expect(await remove(threadKey, 3)).toEqual({ outcome: 'deleted', version: 3, versions: 3 });
    expect(await remove(threadKey)).toEqual({ outcome: 'not_found' });
    expect(await load(threadKey)).toBeNull();
    expect(await load(threadKey, 2)).toBeNull();
    expect(await countStored(threadKey)).toEqual({ versions: 0, bytes: 0 });
    expect(await save(threadKey, toJson('late'), { expectedVersion: 3 })).toEqual({ outcome: 'conflict', version: 0 });
    expect(await save(threadKey, toJson('new'), { expectedVersion: 0 })).toMatchObject({
      outcome: 'saved',
      info: { version: 4, oldest_version: 4 },
    });
    expect((await load(threadKey))?.state.toString()).toBe('"new"');
    await save(threadKey, toJson('newer'));
    expect((await load(threadKey, 4))?.state.toString()).toBe('"new"');
  });

  it('are listed by time, page by page, without deleted ones', async () => {
    const threadKeys = ['a', 'b', 'c', 'd', 'e'].map((threadId) => ({ userId: 'lister', threadId }));
    for (const threadKey of threadKeys) {
      await save(threadKey, toJson(threadKey.threadId));
      fixture.clock.advance(1);
    }
    await save(threadKeys[0]!, toJson('again'));
    await remove(threadKeys[3]!);
    const list = (limit: number, cursor?: string) =>
      fixture.inTenant(tenantId, (tx) => listCheckpoints(tx, 'lister', { limit, cursor }));
    const threadsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ thread_id }) => thread_id);
    expect(threadsOf(await list(10))).toEqual(['a', 'e', 'c', 'b']);
    const first = await list(2);
    const second = await list(2, first.next_cursor!);
    expect([...threadsOf(first), ...threadsOf(second)]).toEqual(['a', 'e', 'c', 'b']);
    expect(second.next_cursor).toBeNull();
    await expect(list(2, 'nonsense')).rejects.toThrow(InvalidCursorError);
  });

  it('delete versions that are too old, except the newest, and leave nothing of them', async () => {
    const before = await fixture.addTenant();
    const inBefore = { userId: 'ada', threadId: 'aged' };
    const states = Array.from({ length: 12 }, (_, n) => makeThread(n + 20));
    for (const state of states) {
      await fixture.inTenant(before, (tx) =>
        saveCheckpoint(tx, { ...inBefore, state, expectedVersion: null, keepVersions: 50, now: fixture.clock.now() }),
      );
      fixture.clock.advance(DAY_MS);
    }
    const prune = async (ageDays: number) => {
      let versions = 0;
      let cursor: PruneCursor | null = null;
      do {
        const pruned = await pruneCheckpoints(fixture.database, {
          before: fixture.clock.now() - ageDays * DAY_MS,
          limit: 2,
          cursor,
        });
        versions += pruned.versions;
        cursor = pruned.cursor;
      } while (cursor !== null);
      return versions;
    };
    const readAll = async () => {
      const found: (string | undefined)[] = [];
      for (let version = 1; version <= 12; version += 1) {
        const loaded = await fixture.inTenant(before, (tx) => loadCheckpoint(tx, { ...inBefore, version }));
        found.push(loaded?.state.toString());
      }
      return found;
    };
    expect(await prune(1_000)).toBe(0);
    expect(await prune(5)).toBeGreaterThanOrEqual(7);
    expect(await readAll()).toEqual(states.map((state, n) => (n < 7 ? undefined : state.toString())));
    const [{ stored } = { stored: 0 }] = await fixture.queryAsSuperuser<{ stored: number }>(
      'SELECT count(*)::int AS stored FROM checkpoint_versions WHERE tenant_id = $1',
      [before],
    );
    expect(stored).toBe(5);
    expect(await prune(5)).toBe(0);
    const next = {
      ...inBefore,
      state: makeThread(40),
      expectedVersion: 12,
      keepVersions: 50,
      now: fixture.clock.now(),
    };
    expect(await fixture.inTenant(before, (tx) => saveCheckpoint(tx, next))).toMatchObject({ outcome: 'saved' });
    fixture.clock.advance(1_000 * DAY_MS);
    await prune(5);
    const loaded = await fixture.inTenant(before, (tx) => loadCheckpoint(tx, inBefore));
    expect(loaded?.state.equals(makeThread(40))).toBe(true);
    expect(loaded?.info).toMatchObject({ version: 13, oldest_version: 13 });
  });

  it('are all pruned even when one of them cannot be read', async () => {
    const before = await fixture.addTenant();
    const threadKeys = ['broken', 'whole'].map((threadId) => ({ userId: 'ada', threadId }));
    for (const threadKey of threadKeys) {
      for (const count of [21, 22, 23]) {
        const state = makeThread(count);
        await fixture.inTenant(before, (tx) =>
          saveCheckpoint(tx, {
            ...threadKey,
            state,
            expectedVersion: null,
            keepVersions: 50,
            now: fixture.clock.now(),
          }),
        );
        fixture.clock.advance(DAY_MS);
      }
    }
    await fixture.queryAsSuperuser(
      `UPDATE checkpoint_versions SET body = '\\x00' WHERE tenant_id = $1 AND thread_id = 'broken' AND version = 1`,
      [before],
    );
    const inTime = { before: fixture.clock.now() - DAY_MS / 2, limit: 1_000, cursor: null };
    const pruned = await pruneCheckpoints(fixture.database, inTime);
    expect(pruned).toMatchObject({ cursor: null, problem: expect.any(Error) });
    const left = await fixture.queryAsSuperuser<{ thread_id: string; versions: number }>(
      `SELECT thread_id, count(*)::integer AS versions FROM checkpoint_versions WHERE tenant_id = $1
        GROUP BY thread_id ORDER BY thread_id`,
      [before],
    );
    expect(left).toEqual([
      { thread_id: 'broken', versions: 3 },
      { thread_id: 'whole', versions: 1 },
    ]);
    await fixture.queryAsSuperuser('DELETE FROM checkpoint_versions WHERE tenant_id = $1', [before]);
    await fixture.queryAsSuperuser('DELETE FROM checkpoints WHERE tenant_id = $1', [before]);
  });

  it('remain unchanged while versions are pruned during saves', async () => {
    const threadKey = newThread();
    const keep = async (count: number) => {
      fixture.clock.advance(DAY_MS);
      return save(threadKey, makeThread(count));
    };
    for (let count = 1; count <= 40; count += 1) {
      const prune = () =>
        pruneCheckpoints(fixture.database, { before: fixture.clock.now() - 3 * DAY_MS, limit: 1_000, cursor: null });
      await Promise.all([keep(count), prune(), prune()]);
      expect((await load(threadKey))?.state.equals(makeThread(count))).toBe(true);
    }
    const oldest = (await load(threadKey))!.info.oldest_version;
    expect(oldest).toBeGreaterThan(30);
    for (let version = oldest; version <= 40; version += 1)
      expect((await load(threadKey, version))?.state.equals(makeThread(version))).toBe(true);
  });

  it('leave nothing behind when their user is erased during saves', async () => {
    const threadKey = { userId: 'erased', threadId: 't' };
    for (const count of [1, 2, 3]) await save(threadKey, makeThread(count));
    const [erased, saved] = await Promise.all([
      fixture.inTenant(tenantId, (tx) =>
        tx.query<{ receipt: object }>('SELECT erase_and_seal($1, $2, $3) AS receipt', [
          'erased',
          tx.pseudonymOf('erased'),
          new Date(fixture.clock.now()),
        ]),
      ),
      save(threadKey, makeThread(4), { expectedVersion: 3 }),
    ]);
    expect(erased[0]!.receipt).toMatchObject({ checkpoints: 1 });
    // In either order: what was saved before is erased, and what comes after finds nothing.
    expect(saved).toMatchObject(saved.outcome === 'saved' ? { isFirst: false } : { outcome: 'conflict', version: 0 });
    expect(await countStored(threadKey)).toEqual({ versions: 0, bytes: 0 });
  });

  it('of another tenant do not exist', async () => {
    const threadKey = newThread();
    await save(threadKey, toJson('mine'));
    const otherTenantId = await fixture.addTenant();
    expect(await fixture.inTenant(otherTenantId, (tx) => loadCheckpoint(tx, threadKey))).toBeNull();
    expect(
      await fixture.inTenant(otherTenantId, (tx) =>
        deleteCheckpoint(tx, { ...threadKey, expectedVersion: null, now: 0 }),
      ),
    ).toEqual({
      outcome: 'not_found',
    });
    expect((await fixture.inTenant(otherTenantId, (tx) => listCheckpoints(tx, 'ada', { limit: 10 }))).items).toEqual(
      [],
    );
  });
});

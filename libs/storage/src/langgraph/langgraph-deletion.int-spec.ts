import { randomBytes } from 'node:crypto';
import { SeededRng } from '@annals/domain';
import { diffStates } from '@annals/state-delta';
import { sized, TEST_SEED } from '@annals/testing';
import { lockUser } from '../audit/user-chain.js';
import { buildHead, creationOf, saveLangGraphThread, saveState, saveWrites } from '../fixtures/langgraph.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { deleteTenant } from '../tenants/tenants.js';
import { copyLangGraphThread, deleteLangGraphThreads } from './langgraph-threads.js';
import { pruneLangGraphThreads } from './prune-langgraph.js';
import { saveCheckpointDelta } from './save-langgraph-checkpoint.js';
import { parseVersion } from './version.js';

const KEY = Buffer.alloc(32, 3);
const WORD = 'quixotrium';
const STATE = `${'What does not change. '.repeat(100)}${WORD}`;
const ROUNDS = sized(12, 300);

const TABLES = ['langgraph_threads', 'langgraph_namespaces', 'langgraph_checkpoints', 'langgraph_writes'] as const;

describe('threads of LangGraph', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const now = () => fixture.clock.now();
  const erase = async (userId: string) => {
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    const command = { userId, actor: 'test', key: KEY };
    return (await fixture.inTenant(tenantId, (tx) => eraseUser(tx, command, dependencies)))?.receipt.counts;
  };
  const remove = (threadIds: readonly string[], userId?: string) =>
    fixture.inTenant(tenantId, (tx) => deleteLangGraphThreads(tx, { threadIds, userId, now: now() }));
  const copy = (sourceId: string, targetId: string, userId?: string) =>
    fixture.inTenant(tenantId, (tx) => copyLangGraphThread(tx, { sourceId, targetId, userId, ...creationOf(fixture) }));
  const addThread = (threadId: string, userId?: string) =>
    saveLangGraphThread(fixture, tenantId, { threadId, userId, word: WORD });
  const readAll = async (tenant = tenantId) => {
    const rows: Record<string, unknown[]> = {};
    for (const table of TABLES)
      rows[table] = await fixture.queryAsSuperuser(`SELECT t::text FROM ${table} t WHERE tenant_id = $1 ORDER BY 1`, [
        tenant,
      ]);
    return rows;
  };
  const findOrphans = () =>
    fixture.queryAsSuperuser(
      `SELECT 'checkpoint' AS what FROM langgraph_checkpoints c
        WHERE NOT EXISTS (SELECT FROM langgraph_namespaces n WHERE n.namespace_key = c.namespace_key)
       UNION ALL
       SELECT 'write' FROM langgraph_writes w
        WHERE NOT EXISTS (SELECT FROM langgraph_namespaces n WHERE n.namespace_key = w.namespace_key)
       UNION ALL
       SELECT 'namespace' FROM langgraph_namespaces n
        WHERE NOT EXISTS (SELECT FROM langgraph_threads t WHERE t.thread_key = n.thread_key)
       UNION ALL
       SELECT 'base' FROM langgraph_checkpoints c
        WHERE NOT EXISTS (SELECT FROM langgraph_checkpoints v
                           WHERE v.namespace_key = c.namespace_key AND v.seq = c.whole_seq AND v.whole_seq = v.seq)
       UNION ALL
       SELECT 'end' FROM langgraph_namespaces n
        WHERE n.seq > 0 AND NOT EXISTS (SELECT FROM langgraph_checkpoints c
                                         WHERE c.namespace_key = n.namespace_key AND c.seq = n.seq)`,
    );

  it('are erased with their user, and those of others stay', async () => {
    await addThread('of bob', 'bob');
    await addThread('of nobody');
    const stranger = await fixture.addTenant();
    await saveLangGraphThread(fixture, stranger, { threadId: 'of ada', userId: 'ada', word: WORD });
    const before = [await readAll(), await readAll(stranger)];
    await addThread('of ada', 'ada');
    await addThread('another', 'ada');
    await saveState(fixture, tenantId, { threadId: 'another', userId: 'ada', checkpointNs: 'sub' }, STATE);
    expect(await erase('ada')).toMatchObject({
      langgraph_threads: 2,
      langgraph_namespaces: 3,
      langgraph_checkpoints: 3,
      langgraph_writes: 2,
    });
    expect([await readAll(), await readAll(stranger)]).toEqual(before);
    // A thread that has named no user is erased with its own.
    expect(await erase('langgraph:of nobody')).toMatchObject({ langgraph_threads: 1, langgraph_writes: 1 });
    expect(await erase('bob')).toMatchObject({ langgraph_threads: 1 });
    expect(Object.values(await readAll())).toEqual([[], [], [], []]);
  });

  it('are deleted with all that they have, and only those of the user that is given', async () => {
    await addThread('of bob', 'bob');
    const before = await readAll();
    await addThread('of ada', 'ada');
    await saveWrites(fixture, tenantId, {
      threadId: 'of ada',
      checkpointId: 'not saved yet',
      writes: [{ idx: 0, channel: 'c', type: 'json', value: WORD }],
    });
    const none = { checkpoints: 0, writes: 0 };
    expect(await remove(['of ada', 'of bob', 'unknown'], 'cid')).toEqual(none);
    expect(await remove(['of ada', 'of bob', 'unknown'], 'ada')).toEqual({ checkpoints: 1, writes: 2 });
    expect(await readAll()).toEqual(before);
    expect(await remove(['of ada', 'unknown'])).toEqual(none);
    const listed = await fixture.queryAsSuperuser(
      `SELECT FROM deletions WHERE of_tenant = $1 AND kind = 'langgraph_thread'`,
      [tenantId],
    );
    expect(listed).toHaveLength(1);
  });

  it('go with their tenant, whose deletion is listed', async () => {
    const stranger = await fixture.addTenant();
    await saveLangGraphThread(fixture, stranger, { threadId: 'of ada', userId: 'ada', word: WORD });
    const before = await readAll(stranger);
    await addThread('of ada', 'ada');
    const counts = { langgraph_threads: 1, langgraph_namespaces: 1, langgraph_checkpoints: 1, langgraph_writes: 1 };
    expect(await deleteTenant(fixture.database, tenantId)).toMatchObject(counts);
    expect(Object.values(await readAll())).toEqual([[], [], [], []]);
    expect(await readAll(stranger)).toEqual(before);
    const listed = await fixture.queryAsSuperuser(`SELECT kind FROM deletions WHERE of_tenant = $1`, [tenantId]);
    expect(listed).toEqual([{ kind: 'tenant' }]);
  });

  it('are copied for the same user, whatever becomes of the other; one without a user gets its own', async () => {
    await addThread('of ada', 'ada');
    await addThread('of nobody');
    expect(await copy('of ada', 'copy', 'ada')).toEqual({ checkpoints: 1, writes: 1 });
    expect(await copy('of nobody', 'copy of nobody')).toEqual({ checkpoints: 1, writes: 1 });
    expect(await copy('of ada', 'copy')).toBe('exists');
    expect([await copy('unknown', 'other'), await copy('of ada', 'other', 'bob')]).toEqual(['not_found', 'not_found']);
    await remove(['of ada', 'of nobody']);
    const owners = await fixture.queryAsSuperuser(
      'SELECT thread_id, user_id FROM langgraph_threads WHERE tenant_id = $1 ORDER BY 1',
      [tenantId],
    );
    expect(owners).toEqual([
      { thread_id: 'copy', user_id: 'ada' },
      { thread_id: 'copy of nobody', user_id: 'langgraph:copy of nobody' },
    ]);
    expect(await erase('ada')).toMatchObject({ langgraph_threads: 1, langgraph_checkpoints: 1, langgraph_writes: 1 });
  });

  it('are copied while another user claims the source and is erased', async () => {
    await addThread('of ada', 'ada');
    await addThread('of nobody');
    const running = await fixture.inTenant(tenantId, async (tx) => {
      await lockUser(tx, 'ada', now());
      await tx.execute(`UPDATE langgraph_threads SET user_id = 'ada' WHERE thread_id = 'of nobody'`);
      const copied = copy('of nobody', 'copy');
      await fixture.waitForLockWaits(1, 'the copy waits for the claim');
      const erased = erase('ada');
      await fixture.waitForLockWaits(2, 'the erasure waits too');
      return { copied, erased };
    });
    const copied = await running.copied;
    // Both wait for the user, and either may come first: what was copied for the user before is erased with the rest.
    expect(['not_found', { checkpoints: 1, writes: 1 }]).toContainEqual(copied);
    expect(await running.erased).toMatchObject({ langgraph_threads: copied === 'not_found' ? 2 : 3 });
    expect(Object.values(await readAll())).toEqual([[], [], [], []]);
  });

  it('leave no replaced state behind when they are pruned, even if nothing else is', async () => {
    for (const step of [1, 2, 3]) await saveState(fixture, tenantId, { metadata: { step } }, `${STATE}${step}`);
    const prune = () =>
      fixture.inTenant(tenantId, (tx) => pruneLangGraphThreads(tx, { threadIds: ['thread'], userId: undefined }));
    const readStates = () =>
      fixture.queryAsSuperuser(
        'SELECT seq, whole_seq, checkpoint_id, metadata FROM langgraph_checkpoints WHERE tenant_id = $1 ORDER BY seq',
        [tenantId],
      );
    const replaced = { checkpoint_id: null, metadata: {} };
    expect(await readStates()).toMatchObject([replaced, replaced, { checkpoint_id: 'c1', metadata: { step: 3 } }]);
    expect(await prune()).toEqual({ checkpoints: 0, writes: 0 });
    expect(await readStates()).toEqual([{ seq: 3, whole_seq: 3, checkpoint_id: 'c1', metadata: { step: 3 } }]);
    expect(await findOrphans()).toEqual([]);
  });

  it(`leave nothing of themselves behind, whoever writes them while they are erased or deleted (${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    const writes = [{ idx: -1, channel: 'c', type: 'json', value: WORD }];
    const later = Buffer.from(`${STATE} and more`);
    for (let round = 0; round < ROUNDS; round += 1) {
      fixture.clock.advance(1_000);
      const threadId = `thread ${round % 3}`;
      // Every second round begins with a thread that names no user.
      const saved = await saveState(fixture, tenantId, { threadId, checkpointId: 'c0' }, STATE);
      const userId = round % 2 === 0 ? 'ada' : undefined;
      const delta = diffStates(Buffer.from(STATE), later);
      const sent = { base: parseVersion(saved!.version)!, delta, maxBytes: 1_000_000 };
      const work = [
        () => saveState(fixture, tenantId, { threadId, userId, checkpointId: 'c1' }, STATE),
        () => saveState(fixture, tenantId, { threadId, checkpointNs: 'sub', checkpointId: 'c1' }, STATE),
        () => saveState(fixture, tenantId, { threadId, userId: 'bob', checkpointId: 'c2' }, STATE),
        () => saveWrites(fixture, tenantId, { threadId, userId, checkpointId: 'c0', writes }),
        () => saveWrites(fixture, tenantId, { threadId, checkpointNs: 'other', checkpointId: 'c0', writes }),
        () =>
          saveCheckpointDelta(fixture.database, tenantId, buildHead(fixture, { threadId, checkpointId: 'c3' }), sent),
        () => copy(threadId, `copy ${round}`),
        () =>
          fixture.inTenant(tenantId, (tx) => pruneLangGraphThreads(tx, { threadIds: [threadId], userId: undefined })),
        () => remove([threadId, 'thread 0']),
        () => erase('ada'),
        () => erase(`langgraph:${threadId}`),
      ].map((start) => ({ start, place: rng.nextFloat() }));
      const ended = await Promise.allSettled(work.toSorted((a, b) => a.place - b.place).map(({ start }) => start()));
      expect(ended.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))).toEqual([]);
      expect([round, await findOrphans()]).toEqual([round, []]);
    }
    const users = await fixture.queryAsSuperuser<{ user_id: string }>(
      `SELECT user_id FROM users WHERE tenant_id = $1 AND user_id NOT LIKE 'pseudonym:%'`,
      [tenantId],
    );
    for (const { user_id: userId } of users) await erase(userId);
    expect(Object.values(await readAll())).toEqual([[], [], [], []]);
  });
});

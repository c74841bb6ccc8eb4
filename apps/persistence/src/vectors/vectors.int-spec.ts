import { randomBytes } from 'node:crypto';
import {
  createTenant,
  listWork,
  replayWork,
  setTenantBudget,
  type Tx,
  wakeDeferredBatches,
  writeMemories,
} from '@annals/storage';
import { ManualClock } from '@annals/domain';
import { createTestDatabase, newMemory, type TestDatabase, waitUntil } from '@annals/testing';
import { createVectorJob } from '../maintenance/vector-job.js';
import { EmbeddingServer } from '../persistence/embed/embedding-server.fixture.js';
import type { PersistenceService } from '../persistence/persistence-service.fixture.js';

describe('work of kind vectors', () => {
  const embeddings = new EmbeddingServer();
  let database: TestDatabase;
  let service: PersistenceService;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await embeddings.startService(database);
  });
  beforeEach(() => {
    embeddings.status = 200;
    embeddings.inputs.length = 0;
    embeddings.onRequest = async () => undefined;
  });
  afterAll(async () => {
    await service?.stop();
    await embeddings.stop();
    await database?.drop();
  });

  const listAll = (of = service) => of.inTenant((tx) => listWork(tx, { limit: 50 }));
  const findWork = async (userId: string, of = service) =>
    (await listAll(of)).items.find((work) => work.user_id === userId);
  const waitForWork = (userId: string, expected: object, of = service) =>
    waitUntil(
      async () => {
        const work = await findWork(userId, of);
        return work && Object.entries(expected).every(([key, value]) => work[key as keyof typeof work] === value)
          ? work
          : undefined;
      },
      { describe: `the work of ${userId} is ${JSON.stringify(expected)}` },
    );
  const waitForEnd = (userId: string, of = service) =>
    waitUntil(async () => (await findWork(userId, of)) === undefined, { describe: `the work of ${userId} has ended` });
  const countMissing = async (userId: string, of = service) => {
    const rows = await of.inTenant((tx) =>
      tx.query(
        `SELECT FROM memories m WHERE m.user_id = $1 AND m.state = 'active'
            AND NOT EXISTS (SELECT FROM memory_embeddings e WHERE e.memory_id = m.id AND e.model = $2)`,
        [userId, embeddings.model],
      ),
    );
    return rows.length;
  };
  const replay = async (id: string) => {
    const { clock, relay } = service.running.infrastructure;
    const outcome = await service.inTenant((tx) => replayWork(tx, id, clock.now()));
    relay.kick();
    return outcome;
  };
  const makeDue = async (id: string) => {
    const { clock, relay } = service.running.infrastructure;
    const now = new Date(clock.now());
    await service.inTenant((tx) =>
      tx.execute('UPDATE work SET available_at = $2, rank_at = $2 WHERE id = $1', [id, now]),
    );
    relay.kick();
  };
  const addMemories = (tx: Tx, userId: string, count: number) =>
    tx.execute(
      `INSERT INTO memories (id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
                             importance, confidence, valid_from, recorded_at, updated_at)
       SELECT gen_random_uuid(), $1, 'profile', 'semantic', 'The user owns object ' || $1 || n, $1 || n, '1', 'active',
              'manual', 3, 0.8, now(), now(), now() FROM generate_series(1, $2::int) n`,
      [userId, count],
    );
  const DAY_MS = 24 * 60 * 60 * 1_000;
  const runScan = (laterMs = 0) => {
    const { database: stores, ids, clock: systemClock } = service.running.infrastructure;
    const clock = new ManualClock(systemClock.now() + laterMs);
    const run = { database: stores, clock, signal: new AbortController().signal, cursor: null, budgetMs: 60_000 };
    return createVectorJob({ embedder: embeddings, ids }).run(run);
  };

  it('is asked for by the write, stays visible when its text is refused, and is replayed by hand', async () => {
    embeddings.status = 400;
    await service.writeStatement('ann', 'The user likes lemonade.');
    const failed = await waitForWork('ann', { status: 'failed' });
    expect(failed).toMatchObject({ kind: 'vectors', failure_code: 'invalid_request', attempts: 1 });
    expect(service.eventsNamed('work_failed')).toMatchObject([
      { context: { kind: 'vectors', subjectId: failed.subject_id, reason: 'invalid_request' } },
    ]);
    expect(service.lines.join('')).not.toContain('lemonade');
    // One call for the batch and one for the work: nothing tries again on its own.
    expect(embeddings.inputs).toHaveLength(2);
    expect(await runScan()).toMatchObject({ done: 0 });
    expect(await findWork('ann')).toEqual(failed);

    embeddings.status = 200;
    expect(await replay(failed.id)).toBe('replayed');
    expect(['not_failed', 'not_found']).toContain(await replay(failed.id));
    await waitForEnd('ann');
    expect(await countMissing('ann')).toBe(0);
  });

  it('is asked for again by the scan when it failed a day ago', async () => {
    embeddings.status = 400;
    await service.writeStatement('gus', 'The user likes plums.');
    const failed = await waitForWork('gus', { status: 'failed' });
    expect(await runScan(DAY_MS - 60_000)).toMatchObject({ done: 0 });
    expect(await findWork('gus')).toEqual(failed);
    embeddings.status = 200;
    expect(await runScan(DAY_MS)).toMatchObject({ done: 1 });
    await makeDue(failed.id);
    await waitForEnd('gus');
    expect(await countMissing('gus')).toBe(0);
  });

  it('waits for a key that works, without failing', async () => {
    embeddings.status = 401;
    await service.writeStatement('hal', 'The user likes pears.');
    const deferred = await waitForWork('hal', { status: 'deferred', deferred_reason: 'provider_unavailable' });
    embeddings.status = 200;
    await makeDue(deferred.id);
    await waitForEnd('hal');
    expect(await countMissing('hal')).toBe(0);
  });

  it('gives all other memories their vectors when one text is refused, however many there are', async () => {
    await service.inTenant(async (tx) => {
      await tx.execute(`INSERT INTO users (user_id, created_at) VALUES ('ivy', now())`);
      await addMemories(tx, 'ivy', 120);
      // The oldest of them, which every run loads.
      await tx.execute(
        `UPDATE memories SET content = 'refused', recorded_at = now() - interval '1 day' WHERE id =
           (SELECT id FROM memories WHERE user_id = 'ivy' ORDER BY recorded_at, id LIMIT 1)`,
      );
    });
    embeddings.onRequest = async () =>
      void (embeddings.status = embeddings.inputs.at(-1)!.includes('refused') ? 400 : 200);
    await runScan();
    const failed = await waitForWork('ivy', { status: 'failed' });
    expect(failed).toMatchObject({ failure_code: 'invalid_request' });
    expect(await countMissing('ivy')).toBe(1);
    embeddings.onRequest = async () => void (embeddings.status = 200);
    expect(await replay(failed.id)).toBe('replayed');
    await waitForEnd('ivy');
  });

  it('runs again for a write after a failure', async () => {
    embeddings.status = 400;
    await service.writeStatement('bob', 'The user likes tea.');
    await waitForWork('bob', { status: 'failed' });
    // The batch is refused too, and by then the server has a key that works.
    embeddings.onRequest = async () => void (embeddings.status = embeddings.inputs.length > 3 ? 200 : 400);
    await service.writeStatement('bob', 'The user keeps bees.');
    await waitForEnd('bob');
    expect(await countMissing('bob')).toBe(0);
    expect(embeddings.inputs.at(-1)!.toSorted()).toEqual(['The user keeps bees.', 'The user likes tea.']);
  });

  it('waits out an outage without failing', async () => {
    await service.inTenant(async (tx) => {
      await tx.execute(`INSERT INTO users (user_id, created_at) VALUES ('cid', now())`);
      await addMemories(tx, 'cid', 3);
    });
    embeddings.status = 503;
    expect(await runScan()).toMatchObject({ done: 1 });
    const deferred = await waitForWork('cid', { status: 'deferred' });
    expect(deferred).toMatchObject({ deferred_reason: 'provider_unavailable', attempts: 1, failure_code: null });
    expect(Date.parse(deferred.due_at)).toBeGreaterThan(Date.parse(deferred.created_at));
    embeddings.status = 200;
    await makeDue(deferred.id);
    await waitForEnd('cid');
    expect(await countMissing('cid')).toBe(0);
  });

  it('waits for a budget, and is woken when it is raised', async () => {
    const { database: stores, ids, clock, relay } = service.running.infrastructure;
    const poor = service.asTenant(ids.next());
    await createTenant(stores, { id: poor.tenantId, name: 'poor', now: clock.now() });
    await poor.inTenant((tx) => setTenantBudget(tx, 1, clock.now()));
    await poor.writeStatement('dan', 'The user likes broth. '.repeat(9));
    await waitForWork('dan', { status: 'deferred', deferred_reason: 'budget_exceeded' }, poor);
    expect(embeddings.inputs).toEqual([]);
    await poor.inTenant((tx) => setTenantBudget(tx, 1_000_000, clock.now()));
    const wake = { tenantId: poor.tenantId, reason: 'budget_exceeded', now: clock.now(), spreadMs: 0 } as const;
    await wakeDeferredBatches(stores, wake);
    relay.kick();
    await waitForEnd('dan', poor);
    expect(await countMissing('dan', poor)).toBe(0);
    // Without a user id: usage rows for users who are erased in the meantime would retain their ids.
    const usage = await poor.inTenant((tx) => tx.query('SELECT user_id FROM usage'));
    expect(usage).toEqual([{ user_id: null }]);
  });

  it('embeds the memories of a user run by run, and none twice', async () => {
    await service.inTenant(async (tx) => {
      await tx.execute(`INSERT INTO users (user_id, created_at) VALUES ('eve', now())`);
      await addMemories(tx, 'eve', 120);
    });
    expect(await runScan()).toMatchObject({ done: 1, cursor: null });
    await waitForEnd('eve');
    expect(embeddings.inputs.map((input) => input.length)).toEqual([100, 20]);
    expect(await countMissing('eve')).toBe(0);
    expect(await runScan()).toMatchObject({ done: 0, cursor: null });
  });

  it('runs again for a write during its run', async () => {
    const { clock, ids } = service.running.infrastructure;
    const write = (content: string) =>
      service.inTenant((tx) =>
        writeMemories(
          tx,
          {
            userId: 'fay',
            actor: 'test',
            node: 'api',
            changes: [{ kind: 'observe', memory: newMemory(content, clock.now()) }],
          },
          { clock, ids, randomBytes },
        ),
      );
    embeddings.onRequest = async () => {
      embeddings.onRequest = async () => undefined;
      await write('The user sails on lakes.');
    };
    await write('The user rides horses.');
    await waitForEnd('fay');
    expect(embeddings.inputs).toEqual([['The user rides horses.'], ['The user sails on lakes.']]);
    expect(await countMissing('fay')).toBe(0);
  });
});

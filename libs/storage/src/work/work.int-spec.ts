import type { WorkDeferralReason } from '@annals/contracts';
import { randomBytes } from 'node:crypto';
import { newMemory } from '@annals/testing';
import { failBatch } from '../batches/fail-and-replay.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { lockUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { type ContentEmbedding, requestVectors } from '../memories/embeddings.js';
import { writeMemories } from '../memories/write-memories.js';
import { eraseUser } from '../privacy/erase-user.js';
import { deleteTenant } from '../tenants/tenants.js';
import { claimWork, releaseWork, renewWork } from './claim-work.js';
import { deferWork, endWork, failWork, replayWork } from './end-work.js';
import { enqueueWork } from './enqueue-work.js';
import { listWork } from './list-work.js';
import { measureWork } from './measure-work.js';
import { PostgresWorkStore, readDeferredWork } from './postgres-work-store.js';

const LEASE_MS = 10_000;
const HOUR = 3_600_000;

describe('work about a user', () => {
  let fixture: StorageFixture;
  let store: PostgresWorkStore;
  let tenant: string;
  let subjectId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    store = new PostgresWorkStore(fixture.database);
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE work');
    tenant = await fixture.addTenant();
    subjectId = await addUser('ada');
  });
  afterAll(() => fixture.close());

  const now = () => fixture.clock.now();
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => fixture.inTenant(tenant, work);
  const addUser = async (userId: string) => (await inTenant((tx) => lockUser(tx, userId, now()))).subjectId;
  const requestOf = (availableAt = now()) => ({ kind: 'vectors', subjectId, availableAt, trace: '00-trace' }) as const;
  const ask = (availableAt?: number) =>
    inTenant((tx) => enqueueWork(tx, [requestOf(availableAt)], { now: now(), ids: fixture.ids }));
  const claim = (generation = 1) =>
    inTenant((tx) => claimWork(tx, { kind: 'vectors', subjectId, generation, now: now(), leaseMs: LEASE_MS }));
  const hold = async (generation = 1) => {
    const claimed = await claim(generation);
    if (claimed.outcome !== 'claimed') throw new Error(`The work is ${claimed.outcome}.`);
    return { ...claimed, generation };
  };
  const end = (held: Awaited<ReturnType<typeof hold>>) => inTenant((tx) => endWork(tx, held));
  const fail = (generation = 1) =>
    inTenant((tx) => failWork(tx, { kind: 'vectors', subjectId, generation, code: 'timeout', now: now() }));
  const free = (held: Awaited<ReturnType<typeof hold>>) => inTenant((tx) => releaseWork(tx, { ...held, now: now() }));
  const defer = (held: Awaited<ReturnType<typeof hold>>, reason: WorkDeferralReason = 'budget_exceeded') =>
    inTenant((tx) => deferWork(tx, { ...held, until: now() + HOUR, reason }));
  const lease = async () => (await store.lease({ now: now(), limit: 10, perTenant: 10, leaseMs: LEASE_MS })).rows;
  const release = async () => store.markReleased(await lease(), now());
  const readRows = () =>
    fixture.queryAsSuperuser<Record<string, unknown>>('SELECT * FROM work WHERE subject_id = $1', [subjectId]);
  const scan = (failedUntil: number) =>
    inTenant((tx) => requestVectors(tx, 'ada', { now: now(), ids: fixture.ids, failedUntil }));
  const show = async () => (await inTenant((tx) => listWork(tx, { limit: 10 }))).items;

  it('is released as bulk work, with the trace of what caused it', async () => {
    await ask();
    expect(await lease()).toMatchObject([
      { tenantId: tenant, kind: 'vectors', subjectId, generation: 1, trace: '00-trace', bulk: true, lane: 0 },
    ]);
  });

  it('is one row, however often it is asked for before it runs, and is brought forward by an earlier request', async () => {
    await ask(now() + HOUR);
    expect(await lease()).toEqual([]);
    expect(await ask(now() + 2 * HOUR)).toBe(0);
    expect(await ask()).toBe(1);
    expect(await lease()).toHaveLength(1);
    expect(await ask()).toBe(0);
    expect(await readRows()).toHaveLength(1);
  });

  it('is scheduled until its time comes, and waiting only then', async () => {
    const load = async () => (await measureWork(fixture.database, now())).find(({ kind }) => kind === 'vectors');
    await ask(now() + 24 * HOUR);
    expect(await lease()).toEqual([]);
    expect(await load()).toMatchObject({ due: 0, scheduled: 1, inFlight: 0 });
    fixture.clock.advance(24 * HOUR);
    expect(await load()).toMatchObject({ due: 1, scheduled: 0, inFlight: 0 });
    await release();
    expect(await load()).toMatchObject({ due: 0, scheduled: 0, inFlight: 1 });
    await defer(await hold());
    expect(await load()).toMatchObject({ due: 0, scheduled: 1, inFlight: 0 });
    fixture.clock.advance(HOUR);
    expect(await lease()).toHaveLength(1);
  });

  it('ends with its effect, for one worker only', async () => {
    await ask();
    const first = await hold();
    expect(await claim()).toEqual({ outcome: 'held', until: now() + LEASE_MS });
    fixture.clock.advance(LEASE_MS);
    const second = await hold();
    expect(second).toMatchObject({ fence: first.fence + 1, attempts: 2 });
    expect(await end(first)).toBe('lost');
    expect(await inTenant((tx) => renewWork(tx, { ...first, now: now(), leaseMs: LEASE_MS }))).toBe(false);
    expect(await inTenant((tx) => renewWork(tx, { ...second, now: now(), leaseMs: LEASE_MS }))).toBe(true);
    expect(await end(second)).toBe('ended');
    expect(await readRows()).toEqual([]);
    expect(await claim()).toEqual({ outcome: 'stale' });
  });

  it('does not take a claim of a row that has ended for one of the row after it', async () => {
    await ask();
    const late = await hold();
    fixture.clock.advance(LEASE_MS);
    await end(await hold());
    await ask();
    const current = await hold();
    expect(current.fence).toBe(late.fence);
    expect(await end(late)).toBe('lost');
    expect(await end(current)).toBe('ended');
  });

  it('runs again when it was asked for during its run', async () => {
    await ask();
    await release();
    const held = await hold();
    await ask();
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    expect(await claim(2)).toMatchObject({ outcome: 'held' });
    expect(await end(held)).toBe('again');
    expect(await end(await hold(2))).toBe('ended');
  });

  describe('that is asked for again for a later time during its run', () => {
    const holdAndAsk = async () => {
      await ask();
      await release();
      const held = await hold();
      expect(await ask(now() + HOUR)).toBe(1);
      return held;
    };

    it('waits for that time once the run has ended', async () => {
      const held = await holdAndAsk();
      expect(await end(held)).toBe('again');
      fixture.clock.advance(LEASE_MS);
      expect(await lease()).toEqual([]);
      fixture.clock.advance(HOUR);
      expect(await lease()).toMatchObject([{ generation: 2 }]);
    });

    it('is due when its worker has died, not before', async () => {
      const held = await holdAndAsk();
      fixture.clock.advance(LEASE_MS - 1);
      await inTenant((tx) => renewWork(tx, { ...held, now: now(), leaseMs: LEASE_MS }));
      fixture.clock.advance(LEASE_MS - 1);
      expect(await lease()).toEqual([]);
      fixture.clock.advance(1);
      expect(await lease()).toMatchObject([{ generation: 2 }]);
      expect(await end(await hold(2))).toBe('ended');
      expect(await end(held)).toBe('lost');
    });

    it('is due when that was asked for after the death of its worker', async () => {
      await ask();
      await release();
      await hold();
      fixture.clock.advance(LEASE_MS);
      expect(await ask(now() + HOUR)).toBe(1);
      expect(await lease()).toMatchObject([{ generation: 2 }]);
    });

    it('is due when the attempt has ended without an effect', async () => {
      await free(await holdAndAsk());
      expect(await lease()).toMatchObject([{ generation: 2 }]);
    });

    it('is due when that was asked for between two attempts, or behind a request for now', async () => {
      await ask();
      await release();
      await free(await hold());
      expect(await ask(now() + HOUR)).toBe(1);
      await release();
      const held = await hold(2);
      expect([await ask(), await ask(now() + HOUR)]).toEqual([1, 1]);
      expect(await end(held)).toBe('again');
      expect(await lease()).toMatchObject([{ generation: 4 }]);
    });
  });

  it('is not put off by a run that was not due, when it was asked for during that run', async () => {
    await ask();
    await release();
    const held = await hold();
    await ask();
    expect(await defer(held, 'not_due')).toBe(true);
    expect(await lease()).toMatchObject([{ generation: 3 }]);
    expect(await defer(await hold(3), 'not_due')).toBe(true);
    expect(await lease()).toEqual([]);
  });

  it('is free again as soon as its worker releases it, for its next attempt', async () => {
    await ask();
    const held = await hold();
    await free(held);
    expect(await hold()).toMatchObject({ attempts: 2 });
  });

  it('runs again when it was asked for after an attempt, even if that was the last one', async () => {
    await ask();
    await release();
    const held = await hold();
    await free(held);
    expect([await ask(), await ask()]).toEqual([1, 0]);
    expect(await fail(held.generation)).toBe(false);
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    expect(await end(await hold(2))).toBe('ended');
  });

  it('is not suspected by the sweep while a worker has it, and is set back when its job is missing', async () => {
    await ask();
    await release();
    await hold();
    const find = () => store.findSuspects({ now: now(), releasedBefore: now(), recheckAfterMs: 1, limit: 10 });
    expect(await find()).toEqual([]);
    fixture.clock.advance(LEASE_MS);
    const suspects = await find();
    expect(suspects).toMatchObject([{ kind: 'vectors', subjectId, generation: 1 }]);
    expect(await store.returnToWaiting(suspects, now())).toBe(1);
    expect(await claim(1)).toEqual({ outcome: 'stale' });
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    await hold(2);
  });

  it('waits when it is deferred, visibly and whatever is asked for, and shows nothing of it once it runs', async () => {
    await ask();
    await release();
    const held = await hold();
    expect(await defer(held)).toBe(true);
    expect(await defer(held)).toBe(false);
    expect(await ask()).toBe(0);
    expect(await lease()).toEqual([]);
    expect(await show()).toMatchObject([
      {
        status: 'deferred',
        deferred_reason: 'budget_exceeded',
        user_id: 'ada',
        due_at: new Date(now() + HOUR).toISOString(),
      },
    ]);
    expect(await readDeferredWork(fixture.database)).toEqual(new Map([['budget_exceeded', 1]]));
    fixture.clock.advance(HOUR);
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    expect(await hold(2)).toMatchObject({ attempts: 2 });
    expect(await show()).toMatchObject([{ deferred_reason: null }]);
  });

  it('stays, visible and at rest, when it has failed, until it is replayed', async () => {
    await ask();
    await release();
    const held = await hold();
    expect(await fail()).toBe(true);
    expect(await fail()).toBe(false);
    expect(await end(held)).toBe('lost');
    expect([await lease(), await claim()]).toEqual([[], { outcome: 'stale' }]);
    expect(await measureWork(fixture.database, now())).toContainEqual(
      expect.objectContaining({ kind: 'vectors', due: 0, scheduled: 0, inFlight: 0, failed: 1 }),
    );
    expect(await store.lease({ now: now(), limit: 1, perTenant: 1, leaseMs: 1 })).toEqual({
      rows: [],
      nextDueAt: null,
    });
    const [failed] = await show();
    expect(failed).toMatchObject({ status: 'failed', failure_code: 'timeout', attempts: 1 });
    expect(await scan(now() - 1)).toBe(0);
    const replay = () => inTenant((tx) => replayWork(tx, failed!.id, now()));
    expect([await replay(), await replay()]).toEqual(['replayed', 'not_failed']);
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    expect(await hold(2)).toMatchObject({ attempts: 1 });
  });

  it('is revived by the scan when it failed long enough ago, once', async () => {
    await ask();
    const held = await hold();
    await fail();
    expect(await scan(now() - 1)).toBe(0);
    expect(await claim()).toEqual({ outcome: 'stale' });
    expect([await scan(now()), await scan(now())]).toEqual([1, 0]);
    expect(await end(held)).toBe('lost');
    expect(await lease()).toMatchObject([{ generation: 2 }]);
    expect(await hold(2)).toMatchObject({ attempts: 1 });
    expect(await scan(now())).toBe(0);
  });

  it('is deferred no more when its job fails before a worker claims it', async () => {
    await ask();
    await defer(await hold());
    fixture.clock.advance(HOUR);
    await release();
    expect(await fail(2)).toBe(true);
    const [failed] = await show();
    expect(failed).toMatchObject({ status: 'failed', deferred_reason: null });
    expect(await readDeferredWork(fixture.database)).toEqual(new Map());
    await inTenant((tx) => replayWork(tx, failed!.id, now()));
    expect(await show()).toMatchObject([{ status: 'waiting', deferred_reason: null }]);
  });

  it('is revived by a request after its failure, and not failed by a job from before', async () => {
    await ask();
    await fail();
    expect(await ask()).toBe(1);
    expect(await fail(1)).toBe(false);
    expect(await lease()).toMatchObject([{ generation: 2 }]);
  });

  it('is asked for once when several transactions ask at the same time', async () => {
    const asked = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 1]);
    expect(await scan(now())).toBe(0);
  });

  it('is no work of another tenant', async () => {
    await ask();
    const { id } = (await show())[0]!;
    await fail();
    tenant = await fixture.addTenant();
    expect(await show()).toEqual([]);
    expect(await claim()).toEqual({ outcome: 'stale' });
    expect(await inTenant((tx) => replayWork(tx, id, now()))).toBe('not_found');
  });

  it('outlives a batch that ends, and leaves with its user or tenant', async () => {
    await ask();
    const batchId = await addDueBatch(fixture, tenant);
    await inTenant((tx) =>
      failBatch(tx, { batchId, kind: 'extraction', generation: 1, code: 'x', message: 'No.', now: now() }),
    );
    expect(await readRows()).toHaveLength(1);
    // Of work about a conversation there is no kind yet; its erasure does not ask for the kind.
    await fixture.queryAsSuperuser(
      `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, created_at)
       SELECT b.tenant_id, gen_random_uuid(), 'vectors', b.conversation_id, 1, $2, $2, $2 FROM batches b WHERE b.id = $1`,
      [batchId, new Date(now())],
    );
    // That about the user, and about the conversation.
    expect((await inTenant((tx) => listWork(tx, { limit: 10, user_id: 'ada' }))).items).toHaveLength(2);
    const other = await addUser('bob');
    await inTenant((tx) => enqueueWork(tx, [{ ...requestOf(), subjectId: other }], { now: now(), ids: fixture.ids }));
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    await inTenant((tx) => eraseUser(tx, { userId: 'ada', actor: 'test', key: Buffer.alloc(32, 5) }, dependencies));
    expect(await show()).toMatchObject([{ user_id: 'bob' }]);
    const showOf = (userId: string) => inTenant((tx) => listWork(tx, { limit: 10, user_id: userId }));
    expect((await showOf('bob')).items).toHaveLength(1);
    expect((await showOf('ada')).items).toEqual([]);
    expect(await deleteTenant(fixture.database, tenant)).toMatchObject({ work: 1 });
  });

  describe('of a write of memories', () => {
    const write = (embeddings?: ReadonlyMap<string, ContentEmbedding>) =>
      inTenant(async (tx) => {
        // Counts round trips: statements that are sent without waiting for each other share one.
        let trips = 0;
        let open = 0;
        const count = <T>(sent: Promise<T>): Promise<T> => {
          if (open === 0) trips += 1;
          open += 1;
          return sent.finally(() => (open -= 1));
        };
        const counted: Tx = Object.assign(Object.create(tx) as Tx, {
          query: (sql: string, parameters?: readonly unknown[]) => count(tx.query<never>(sql, parameters)),
          execute: (sql: string, parameters?: readonly unknown[]) => count(tx.execute(sql, parameters)),
          atCommit: (...statements: readonly Promise<unknown>[]) => tx.atCommit(...statements),
        });
        const content = `The user owns object ${fixture.ids.next()}.`;
        const command = {
          userId: 'ada',
          actor: 'test',
          node: 'api',
          changes: [{ kind: 'observe', memory: newMemory(content, now()) }],
          ...(embeddings ? { embeddings: new Map([[content, [...embeddings.values()][0]!]]) } : {}),
          trace: '00-cause',
        } as const;
        await writeMemories(counted, command, { clock: fixture.clock, ids: fixture.ids, randomBytes });
        return trips;
      });

    it('is asked for in its transaction where a vector is missing, and costs no round trip', async () => {
      const embedding = { model: 'm', contentHash: Buffer.alloc(32), vector: Float32Array.from([1, 0]) };
      const trips = await write(new Map([['', embedding]]));
      expect(await readRows()).toEqual([]);
      expect(await write()).toBe(trips);
      expect(await readRows()).toMatchObject([{ kind: 'vectors', generation: 1, trace: '00-cause' }]);
    });
  });
});

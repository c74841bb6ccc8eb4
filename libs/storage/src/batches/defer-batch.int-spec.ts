import { INTERACTIVE_HEAD_START_MS } from '@annals/contracts';
import { claimForExtraction, reserve, settlementOf } from '../contract/call.contract.js';
import { addDueBatch, post } from '../contract/post.contract.js';
import { setDeploymentBudget, setTenantBudget } from '../budgets/index.js';
import { StorageBench } from '../contract/storage-bench.contract.js';
import { cancelReservation, settleReservation } from '../ledger/index.js';
import { PostgresOutboxStore } from '../outbox/index.js';
import {
  claimBatch,
  completeExtraction,
  countDeferred,
  deferBatch,
  deferredFigures,
  failBatch,
  getBatches,
  replayBatch,
  wakeDeferred,
  wakeRaised,
  type Deferral,
} from './index.js';

const HOUR = 3_600_000;
const MANY = 16;

describe('deferral', () => {
  let bench: StorageBench;
  let tenant: string;
  let batchId: string;

  beforeAll(async () => {
    bench = await StorageBench.open({ poolSize: MANY });
  });
  beforeEach(async () => {
    await bench.look('TRUNCATE outbox');
    await bench.look('UPDATE batches SET deferred_reason = NULL');
    tenant = await bench.addTenant();
    batchId = await addDueBatch(bench, tenant);
  });
  afterAll(() => bench.close());

  const claim = (id = batchId, generation = 1) => claimForExtraction(bench, tenant, id, generation);
  const defer = (fence: number, changes: Partial<Deferral> = {}) => {
    const now = bench.clock.now();
    const deferral = {
      batchId,
      fence,
      reason: 'budget_exceeded',
      shortfallMicroUsd: 40,
      until: now + HOUR,
      now,
    } as const;
    return bench.inTenant(tenant, (tx) => deferBatch(tx, { ...deferral, ...changes }));
  };
  const deferNew = async (changes: Partial<Deferral> = {}) => {
    const id = await addDueBatch(bench, tenant);
    await defer(await claim(id), { batchId: id, ...changes });
    return id;
  };
  const show = async () => (await bench.inTenant(tenant, (tx) => getBatches(tx, [batchId])))[0]!;
  const readBatch = async (id = batchId) => (await bench.look('SELECT * FROM batches WHERE id = $1', [id]))[0]!;
  const readOutbox = async (id = batchId) => (await bench.look('SELECT * FROM outbox WHERE batch_id = $1', [id]))[0]!;
  const after = (ms: number) => new Date(bench.clock.now() + ms);
  const wake = (changes: Partial<Parameters<typeof wakeDeferred>[1]> = {}) =>
    wakeDeferred(bench.database, {
      tenantId: null,
      reason: 'budget_exceeded',
      now: bench.clock.now(),
      spreadMs: 0,
      ...changes,
    });

  describe('deferBatch', () => {
    it('lets the batch wait under the next generation, says why and until when, and uses up no attempt', async () => {
      const fence = await claim();
      await bench.look('UPDATE outbox SET released_at = available_at, checked_at = available_at');
      expect(await defer(fence)).toBe(bench.clock.now() + HOUR);
      expect(await show()).toMatchObject({
        status: 'deferred',
        attempts: 0,
        generation: 2,
        deferred_until: after(HOUR).toISOString(),
        deferred_reason: 'budget_exceeded',
        shortfall_micro_usd: 40,
        error: null,
      });
      expect(await readBatch()).toMatchObject({ lease_until: null });
      expect(await readOutbox()).toMatchObject({
        queue: 'extraction',
        generation: 2,
        available_at: after(HOUR),
        rank_at: after(HOUR - INTERACTIVE_HEAD_START_MS),
        leased_until: null,
        released_at: null,
        checked_at: null,
      });
    });

    it('is over with the next claim, and is not due before its time', async () => {
      const store = new PostgresOutboxStore(bench.database);
      const lease = () => store.lease({ now: bench.clock.now(), limit: 10, perTenant: 10, leaseMs: 1_000 });
      await defer(await claim());
      expect(await lease()).toEqual({ rows: [], nextDueAt: bench.clock.now() + HOUR });
      bench.clock.advance(HOUR - 1);
      expect((await lease()).rows).toEqual([]);
      bench.clock.advance(1);
      expect((await lease()).rows).toMatchObject([{ batchId, generation: 2 }]);
      await claim(batchId, 2);
      expect(await show()).toMatchObject({
        status: 'extracting',
        attempts: 1,
        deferred_until: null,
        deferred_reason: null,
        shortfall_micro_usd: null,
      });
    });

    it('leaves the former job stale', async () => {
      await defer(await claim());
      await expect(claim()).rejects.toThrow('stale');
    });

    it('does nothing for a worker that has lost the batch, has finished it or has deferred it before', async () => {
      const late = await claim();
      bench.clock.advance(60_000);
      const fence = await claim();
      expect(await defer(late)).toBeNull();
      expect(await readBatch()).toMatchObject({ state: 'extracting', generation: 1 });
      expect(await defer(fence, { reason: 'circuit_open', shortfallMicroUsd: null })).not.toBeNull();
      expect(await defer(fence)).toBeNull();
      expect(await show()).toMatchObject({ deferred_reason: 'circuit_open', shortfall_micro_usd: null, generation: 2 });
    });

    it.each([
      [4, 'circuit_open', 0],
      [5, 'circuit_open', 30_000],
      [7, 'circuit_open', 120_000],
      [30, 'circuit_open', HOUR],
      [30, 'budget_exceeded', 0],
    ] as const)('after %i calls that were paid in vain, for %s, waits %i ms longer', async (calls, reason, extraMs) => {
      const fence = await claim();
      const until = bench.clock.now() + 1_000;
      for (let call = 0; call < calls; call++) {
        const id = await reserve(bench, tenant, { batchId });
        const settlement = settlementOf(bench, id, { outcome: 'timeout', costMicroUsd: 500 });
        await bench.inTenant(tenant, (tx) => settleReservation(tx, settlement));
      }
      // Calls that cost nothing say that the provider is away, not that this batch is more than it can do.
      const free = await reserve(bench, tenant, { batchId });
      const refused = settlementOf(bench, free, { outcome: 'transient', costMicroUsd: 0 });
      await bench.inTenant(tenant, (tx) => settleReservation(tx, refused));
      expect(await defer(fence, { reason, until })).toBe(until + extraMs);
      expect(await readOutbox()).toMatchObject({ available_at: new Date(until + extraMs) });
    });

    it('takes the reservation of a refused call back in the same transaction', async () => {
      const fence = await claim();
      const id = await reserve(bench, tenant, { batchId });
      const now = bench.clock.now();
      await bench.inTenant(tenant, async (tx) => {
        await deferBatch(tx, { batchId, fence, reason: 'budget_exceeded', shortfallMicroUsd: 1, until: now, now });
        expect(await cancelReservation(tx, id)).toBe(true);
      });
      expect(await bench.look('SELECT FROM reservations')).toEqual([]);
    });

    it(`happens once among ${MANY} who try, and once instead of an end`, async () => {
      const fence = await claim();
      const deferred = await Promise.all(Array.from({ length: MANY }, () => defer(fence)));
      expect(deferred.filter(Boolean)).toHaveLength(1);
      expect(await readBatch()).toMatchObject({ generation: 2, attempts: 0 });

      for (let round = 0; round < 5; round++) {
        batchId = await addDueBatch(bench, tenant);
        const held = await claim();
        const reservation = await reserve(bench, tenant, { batchId });
        const outcomes = await Promise.all([defer(held), complete(held, reservation), fail(), defer(held), fail()]);
        expect(outcomes.filter((won) => won)).toHaveLength(1);
        const { state } = await readBatch();
        expect(state).toBe(['deferred', 'persisting', 'failed', 'deferred', 'failed'][outcomes.findIndex(Boolean)]);
        expect((await bench.look('SELECT FROM reservations')).length).toBe(state === 'persisting' ? 0 : 1);
        await bench.look('TRUNCATE reservations');
      }
    });
  });

  const complete = async (fence: number, reservationId: string) => {
    const answer = { provider: 'p', model: 'm', notice: null, answer: '{}', items: [], trace: null };
    const rest = { promptVersion: null, diagnostics: null, prunedMessages: 0, now: bench.clock.now() };
    const settlement = settlementOf(bench, reservationId);
    const result = { ...answer, ...rest, settlement, batchId, fence };
    return (await bench.inTenant(tenant, (tx) => completeExtraction(tx, result, bench.ids))) === 'committed';
  };
  const fail = (generation = 1) => {
    const failure = {
      batchId,
      queue: 'extraction',
      generation,
      code: 'x',
      message: 'No.',
      now: bench.clock.now(),
    } as const;
    return bench.inTenant(tenant, (tx) => failBatch(tx, failure));
  };

  it('is forgotten when the batch fails, and a replay keeps its head start', async () => {
    await defer(await claim());
    expect(await fail(2)).toBe(true);
    expect(await show()).toMatchObject({ deferred_until: null, deferred_reason: null, shortfall_micro_usd: null });
    await bench.inTenant(tenant, (tx) => replayBatch(tx, batchId, bench.clock.now(), bench.ids));
    expect(await readOutbox()).toMatchObject({ available_at: after(0), rank_at: after(-INTERACTIVE_HEAD_START_MS) });
  });

  it('gives bulk work no head start, at no step', async () => {
    const { batchIds } = await post(bench, tenant, { priority: 'bulk', threadId: null, windowMs: 0 });
    batchId = batchIds[0]!;
    await defer(await claim());
    expect(await readOutbox()).toMatchObject({ available_at: after(HOUR), rank_at: after(HOUR) });
    bench.clock.advance(HOUR);
    const fence = await claim(batchId, 2);
    await complete(fence, bench.ids.next());
    expect(await readOutbox()).toMatchObject({ queue: 'persistence', available_at: after(0), rank_at: after(0) });
    expect(await show()).toMatchObject({ priority: 'bulk' });
  });

  describe('wakeRaised', () => {
    const again = () => wakeRaised(bench.database, { now: bench.clock.now(), withinMs: 60_000, spreadMs: 0 });

    it('wakes again whoever was put off after the wake that came with a tenant’s new budget', async () => {
      await bench.inTenant(tenant, (tx) => setTenantBudget(tx, 1_000, bench.clock.now()));
      const mine = await deferNew();
      const owner = tenant;
      tenant = await bench.addTenant();
      const theirs = await deferNew();
      expect(await again()).toBe(1);
      expect(await readOutbox(mine)).toMatchObject({ available_at: after(0) });
      expect(await readOutbox(theirs)).toMatchObject({ available_at: after(HOUR) });
      expect(await again()).toBe(0);
      await bench.inTenant(owner, (tx) => setTenantBudget(tx, null, bench.clock.now()));
    });

    it('wakes all when a shared budget was set, and nobody once that is a while ago', async () => {
      const waiting = await deferNew();
      expect(await again()).toBe(0);
      const budget = { scope: 'deployment', limitMicroUsd: 5_000 } as const;
      await setDeploymentBudget(bench.database, { ...budget, now: bench.clock.now() - 60_000 });
      expect(await again()).toBe(0);
      await setDeploymentBudget(bench.database, { ...budget, now: bench.clock.now() });
      expect(await again()).toBe(1);
      expect(await readOutbox(waiting)).toMatchObject({ available_at: after(0) });
      await setDeploymentBudget(bench.database, { scope: 'deployment', limitMicroUsd: null, now: bench.clock.now() });
    });
  });

  describe('wakeDeferred', () => {
    it('makes batches due that wait for this reason, and no others', async () => {
      const waiting = await deferNew();
      const other = await deferNew({ reason: 'circuit_open' });
      expect(await wake()).toBe(1);
      expect(await readOutbox(waiting)).toMatchObject({
        available_at: after(0),
        rank_at: after(-INTERACTIVE_HEAD_START_MS),
      });
      expect(await readBatch(waiting)).toMatchObject({ state: 'deferred', deferred_until: after(0) });
      expect(await readOutbox(other)).toMatchObject({ available_at: after(HOUR) });
    });

    it('wakes those of one tenant, when one is named', async () => {
      const mine = await deferNew();
      const owner = tenant;
      tenant = await bench.addTenant();
      const theirs = await deferNew();
      expect(await wake({ tenantId: owner })).toBe(1);
      expect(await readOutbox(mine)).toMatchObject({ available_at: after(0) });
      expect(await readOutbox(theirs)).toMatchObject({ available_at: after(HOUR) });
      expect(await wake()).toBe(1);
    });

    it('spreads them evenly, the oldest first, and puts nothing off', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.push(await deferNew());
      await bench.look('UPDATE outbox SET available_at = $2 WHERE batch_id = $1', [ids[3], after(10)]);
      expect(await wake({ spreadMs: 1_000 })).toBe(3);
      const due = await Promise.all(ids.map(async (id) => (await readOutbox(id))['available_at']));
      expect(due).toEqual([after(0), after(250), after(500), after(10)]);
    });

    it('moves each once, however many wake them', async () => {
      for (let n = 0; n < 5; n++) await deferNew();
      const moved = await Promise.all(Array.from({ length: MANY }, () => wake()));
      expect(moved.reduce((total, count) => total + count, 0)).toBe(5);
    });

    it('leaves alone what is with the queue or was claimed', async () => {
      const released = await deferNew();
      await bench.look('UPDATE outbox SET released_at = $2 WHERE batch_id = $1', [released, after(0)]);
      const claimed = await deferNew();
      await claim(claimed, 2);
      expect(await wake()).toBe(0);
      expect(await readBatch(claimed)).toMatchObject({ state: 'extracting', deferred_until: null });
    });
  });

  it('is counted by reason, over all tenants', async () => {
    expect(await deferredFigures(bench.database)).toEqual([]);
    await deferNew();
    await deferNew({ shortfallMicroUsd: 2 });
    tenant = await bench.addTenant();
    await deferNew({ reason: 'circuit_open', shortfallMicroUsd: null });
    expect(await deferredFigures(bench.database)).toEqual([
      { reason: 'budget_exceeded', batches: 2, shortfallMicroUsd: 42 },
      { reason: 'circuit_open', batches: 1, shortfallMicroUsd: 0 },
    ]);
  });

  it('is over for a batch that a worker of the release before took, which leaves the reason', async () => {
    const id = await deferNew();
    await bench.look(`UPDATE batches SET state = 'extracting', deferred_until = NULL WHERE id = $1`, [id]);
    expect(await deferredFigures(bench.database)).toEqual([]);
    expect(await bench.inTenant(tenant, countDeferred)).toBe(0);
    expect(await wake()).toBe(0);
  });

  it('lets a batch be claimed before its time by a job of its generation', async () => {
    await defer(await claim());
    const request = { batchId, generation: 2, queue: 'extraction' as const, now: bench.clock.now(), leaseMs: 1 };
    expect(await bench.inTenant(tenant, (tx) => claimBatch(tx, request))).toMatchObject({ outcome: 'claimed' });
  });
});

import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { claimForExtraction, reserve, buildSettlement } from '../fixtures/model-call.fixture.js';
import { addDueBatch, post } from '../fixtures/post.fixture.js';
import { setDeploymentBudget, setTenantBudget } from '../budgets/budgets.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { cancelReservation } from '../ledger/open-reservation.js';
import { settleReservation } from '../ledger/settle-reservation.js';
import { PostgresWorkStore } from '../work/postgres-work-store.js';
import { claimBatch } from './claim-batch.js';
import { completeExtraction } from './complete-extraction.js';
import {
  countDeferredBatches,
  deferBatch,
  readDeferredBatchStats,
  wakeDeferredBatches,
  wakeBatchesAfterBudgetChange,
  type Deferral,
} from './defer-batch.js';
import { failBatch, replayBatch } from './fail-and-replay.js';
import { getBatches } from './read-batches.js';

const HOUR = 3_600_000;
const MANY = 16;

describe('deferral', () => {
  let fixture: StorageFixture;
  let tenant: string;
  let batchId: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: MANY });
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('TRUNCATE work');
    await fixture.queryAsSuperuser('UPDATE batches SET deferred_reason = NULL');
    tenant = await fixture.addTenant();
    batchId = await addDueBatch(fixture, tenant);
  });
  afterAll(() => fixture.close());

  const claim = (id = batchId, generation = 1) => claimForExtraction(fixture, tenant, id, generation);
  const defer = (fence: number, changes: Partial<Deferral> = {}) => {
    const now = fixture.clock.now();
    const deferral = {
      batchId,
      fence,
      reason: 'budget_exceeded',
      shortfallMicroUsd: 40,
      until: now + HOUR,
      now,
    } as const;
    return fixture.inTenant(tenant, (tx) => deferBatch(tx, { ...deferral, ...changes }));
  };
  const deferNew = async (changes: Partial<Deferral> = {}) => {
    const id = await addDueBatch(fixture, tenant);
    await defer(await claim(id), { batchId: id, ...changes });
    return id;
  };
  const show = async () => (await fixture.inTenant(tenant, (tx) => getBatches(tx, [batchId])))[0]!;
  const readBatch = async (id = batchId) =>
    (await fixture.queryAsSuperuser('SELECT * FROM batches WHERE id = $1', [id]))[0]!;
  const readWork = async (id = batchId) =>
    (await fixture.queryAsSuperuser('SELECT * FROM work WHERE subject_id = $1', [id]))[0]!;
  const after = (ms: number) => new Date(fixture.clock.now() + ms);
  const wake = (changes: Partial<Parameters<typeof wakeDeferredBatches>[1]> = {}) =>
    wakeDeferredBatches(fixture.database, {
      tenantId: null,
      reason: 'budget_exceeded',
      now: fixture.clock.now(),
      spreadMs: 0,
      ...changes,
    });

  describe('deferBatch', () => {
    it('defers the batch under the next generation with reason and time, and uses up no attempt', async () => {
      const fence = await claim();
      await fixture.queryAsSuperuser('UPDATE work SET released_at = available_at, checked_at = available_at');
      expect(await defer(fence)).toBe(fixture.clock.now() + HOUR);
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
      expect(await readWork()).toMatchObject({
        kind: 'extraction',
        generation: 2,
        available_at: after(HOUR),
        rank_at: after(HOUR - INTERACTIVE_PRIORITY_BOOST_MS),
        leased_until: null,
        released_at: null,
        checked_at: null,
      });
    });

    it('ends with the next claim, and is not due before its time', async () => {
      const store = new PostgresWorkStore(fixture.database);
      const lease = () => store.lease({ now: fixture.clock.now(), limit: 10, perTenant: 10, leaseMs: 1_000 });
      await defer(await claim());
      expect(await lease()).toEqual({ rows: [], nextDueAt: fixture.clock.now() + HOUR });
      fixture.clock.advance(HOUR - 1);
      expect((await lease()).rows).toEqual([]);
      fixture.clock.advance(1);
      expect((await lease()).rows).toMatchObject([{ subjectId: batchId, generation: 2 }]);
      await claim(batchId, 2);
      expect(await show()).toMatchObject({
        status: 'extracting',
        attempts: 1,
        deferred_until: null,
        deferred_reason: null,
        shortfall_micro_usd: null,
      });
    });

    it('makes the previous job stale', async () => {
      await defer(await claim());
      await expect(claim()).rejects.toThrow('stale');
    });

    it('does nothing for a worker that has lost, finished or already deferred the batch', async () => {
      const late = await claim();
      fixture.clock.advance(60_000);
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
    ] as const)('after %i failed paid calls, for %s, waits %i ms longer', async (calls, reason, extraMs) => {
      const fence = await claim();
      const until = fixture.clock.now() + 1_000;
      for (let call = 0; call < calls; call++) {
        const id = await reserve(fixture, tenant, { batchId });
        const settlement = buildSettlement(fixture, id, { outcome: 'timeout', costMicroUsd: 500 });
        await fixture.inTenant(tenant, (tx) => settleReservation(tx, settlement));
      }
      // Calls that cost nothing mean that the provider is unavailable, not that this batch is too expensive.
      const free = await reserve(fixture, tenant, { batchId });
      const refused = buildSettlement(fixture, free, { outcome: 'transient', costMicroUsd: 0 });
      await fixture.inTenant(tenant, (tx) => settleReservation(tx, refused));
      expect(await defer(fence, { reason, until })).toBe(until + extraMs);
      expect(await readWork()).toMatchObject({ available_at: new Date(until + extraMs) });
    });

    it('cancels the reservation of a refused call in the same transaction', async () => {
      const fence = await claim();
      const id = await reserve(fixture, tenant, { batchId });
      const now = fixture.clock.now();
      await fixture.inTenant(tenant, async (tx) => {
        await deferBatch(tx, { batchId, fence, reason: 'budget_exceeded', shortfallMicroUsd: 1, until: now, now });
        expect(await cancelReservation(tx, id)).toBe(true);
      });
      expect(await fixture.queryAsSuperuser('SELECT FROM reservations')).toEqual([]);
    });

    it(`succeeds once among ${MANY} concurrent callers, and excludes the batch's completion or failure`, async () => {
      const fence = await claim();
      const deferred = await Promise.all(Array.from({ length: MANY }, () => defer(fence)));
      expect(deferred.filter(Boolean)).toHaveLength(1);
      expect(await readBatch()).toMatchObject({ generation: 2, attempts: 0 });

      for (let round = 0; round < 5; round++) {
        batchId = await addDueBatch(fixture, tenant);
        const held = await claim();
        const reservation = await reserve(fixture, tenant, { batchId });
        const outcomes = await Promise.all([defer(held), complete(held, reservation), fail(), defer(held), fail()]);
        expect(outcomes.filter((won) => won)).toHaveLength(1);
        const { state } = await readBatch();
        expect(state).toBe(['deferred', 'persisting', 'failed', 'deferred', 'failed'][outcomes.findIndex(Boolean)]);
        expect((await fixture.queryAsSuperuser('SELECT FROM reservations')).length).toBe(
          state === 'persisting' ? 0 : 1,
        );
        await fixture.queryAsSuperuser('TRUNCATE reservations');
      }
    });
  });

  const complete = async (fence: number, reservationId: string) => {
    const answer = { provider: 'p', model: 'm', notice: null, answer: '{}', items: [], trace: null };
    const rest = { promptVersion: null, diagnostics: null, prunedMessages: 0, now: fixture.clock.now() };
    const settlement = buildSettlement(fixture, reservationId);
    const result = { ...answer, ...rest, settlement, batchId, fence };
    return (await fixture.inTenant(tenant, (tx) => completeExtraction(tx, result, fixture.ids))) === 'committed';
  };
  const fail = (generation = 1) => {
    const failure = {
      batchId,
      kind: 'extraction',
      generation,
      code: 'x',
      message: 'No.',
      now: fixture.clock.now(),
    } as const;
    return fixture.inTenant(tenant, (tx) => failBatch(tx, failure));
  };

  it('is cleared when the batch fails, and a replay keeps its priority boost', async () => {
    await defer(await claim());
    expect(await fail(2)).toBe(true);
    expect(await show()).toMatchObject({ deferred_until: null, deferred_reason: null, shortfall_micro_usd: null });
    await fixture.inTenant(tenant, (tx) => replayBatch(tx, batchId, fixture.clock.now(), fixture.ids));
    expect(await readWork()).toMatchObject({
      available_at: after(0),
      rank_at: after(-INTERACTIVE_PRIORITY_BOOST_MS),
    });
  });

  it('gives bulk work no priority boost, at any stage', async () => {
    const { batchIds } = await post(fixture, tenant, { priority: 'bulk', threadId: null, windowMs: 0 });
    batchId = batchIds[0]!;
    await defer(await claim());
    expect(await readWork()).toMatchObject({ available_at: after(HOUR), rank_at: after(HOUR) });
    fixture.clock.advance(HOUR);
    const fence = await claim(batchId, 2);
    await complete(fence, fixture.ids.next());
    expect(await readWork()).toMatchObject({ kind: 'persistence', available_at: after(0), rank_at: after(0) });
    expect(await show()).toMatchObject({ priority: 'bulk' });
  });

  describe('wakeBatchesAfterBudgetChange', () => {
    const again = () =>
      wakeBatchesAfterBudgetChange(fixture.database, { now: fixture.clock.now(), withinMs: 60_000, spreadMs: 0 });

    it('wakes batches of a tenant that were deferred after the first wake for its new budget', async () => {
      await fixture.inTenant(tenant, (tx) => setTenantBudget(tx, 1_000, fixture.clock.now()));
      const mine = await deferNew();
      const owner = tenant;
      tenant = await fixture.addTenant();
      const theirs = await deferNew();
      expect(await again()).toBe(1);
      expect(await readWork(mine)).toMatchObject({ available_at: after(0) });
      expect(await readWork(theirs)).toMatchObject({ available_at: after(HOUR) });
      expect(await again()).toBe(0);
      await fixture.inTenant(owner, (tx) => setTenantBudget(tx, null, fixture.clock.now()));
    });

    it("wakes all tenants' batches after a shared budget was set, and none once `withinMs` is over", async () => {
      const waiting = await deferNew();
      expect(await again()).toBe(0);
      const budget = { scope: 'deployment', limitMicroUsd: 5_000 } as const;
      await setDeploymentBudget(fixture.database, { ...budget, now: fixture.clock.now() - 60_000 });
      expect(await again()).toBe(0);
      await setDeploymentBudget(fixture.database, { ...budget, now: fixture.clock.now() });
      expect(await again()).toBe(1);
      expect(await readWork(waiting)).toMatchObject({ available_at: after(0) });
      await setDeploymentBudget(fixture.database, {
        scope: 'deployment',
        limitMicroUsd: null,
        now: fixture.clock.now(),
      });
    });
  });

  describe('wakeDeferredBatches', () => {
    it('makes batches due that wait for this reason, and no others', async () => {
      const waiting = await deferNew();
      const other = await deferNew({ reason: 'circuit_open' });
      expect(await wake()).toBe(1);
      expect(await readWork(waiting)).toMatchObject({
        available_at: after(0),
        rank_at: after(-INTERACTIVE_PRIORITY_BOOST_MS),
      });
      expect(await readBatch(waiting)).toMatchObject({ state: 'deferred', deferred_until: after(0) });
      expect(await readWork(other)).toMatchObject({ available_at: after(HOUR) });
    });

    it('wakes those of one tenant when a tenant is given', async () => {
      const mine = await deferNew();
      const owner = tenant;
      tenant = await fixture.addTenant();
      const theirs = await deferNew();
      expect(await wake({ tenantId: owner })).toBe(1);
      expect(await readWork(mine)).toMatchObject({ available_at: after(0) });
      expect(await readWork(theirs)).toMatchObject({ available_at: after(HOUR) });
      expect(await wake()).toBe(1);
    });

    it('spreads them evenly, oldest first, and delays none', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) ids.push(await deferNew());
      await fixture.queryAsSuperuser('UPDATE work SET available_at = $2 WHERE subject_id = $1', [ids[3], after(10)]);
      expect(await wake({ spreadMs: 1_000 })).toBe(3);
      const due = await Promise.all(ids.map(async (id) => (await readWork(id))['available_at']));
      expect(due).toEqual([after(0), after(250), after(500), after(10)]);
    });

    it('wakes each once when called concurrently', async () => {
      for (let n = 0; n < 5; n++) await deferNew();
      const moved = await Promise.all(Array.from({ length: MANY }, () => wake()));
      expect(moved.reduce((total, count) => total + count, 0)).toBe(5);
    });

    it('leaves batches unchanged that are in a queue or were claimed', async () => {
      const released = await deferNew();
      await fixture.queryAsSuperuser('UPDATE work SET released_at = $2 WHERE subject_id = $1', [released, after(0)]);
      const claimed = await deferNew();
      await claim(claimed, 2);
      expect(await wake()).toBe(0);
      expect(await readBatch(claimed)).toMatchObject({ state: 'extracting', deferred_until: null });
    });
  });

  it('is counted by reason, over all tenants', async () => {
    expect(await readDeferredBatchStats(fixture.database)).toEqual([]);
    await deferNew();
    await deferNew({ shortfallMicroUsd: 2 });
    tenant = await fixture.addTenant();
    await deferNew({ reason: 'circuit_open', shortfallMicroUsd: null });
    expect(await readDeferredBatchStats(fixture.database)).toEqual([
      { reason: 'budget_exceeded', batches: 2, shortfallMicroUsd: 42 },
      { reason: 'circuit_open', batches: 1, shortfallMicroUsd: 0 },
    ]);
  });

  it('is over for a batch that a worker of the previous release claimed, which leaves the reason set', async () => {
    const id = await deferNew();
    await fixture.queryAsSuperuser(`UPDATE batches SET state = 'extracting', deferred_until = NULL WHERE id = $1`, [
      id,
    ]);
    expect(await readDeferredBatchStats(fixture.database)).toEqual([]);
    expect(await fixture.inTenant(tenant, countDeferredBatches)).toBe(0);
    expect(await wake()).toBe(0);
  });

  it("lets a job of the batch's generation claim it before its time", async () => {
    await defer(await claim());
    const request = { batchId, generation: 2, kind: 'extraction' as const, now: fixture.clock.now(), leaseMs: 1 };
    expect(await fixture.inTenant(tenant, (tx) => claimBatch(tx, request))).toMatchObject({ outcome: 'claimed' });
  });
});

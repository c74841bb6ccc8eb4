import { type Coordination, CoordinationUnavailableError } from '@annals/coordination';
import { SeededRng } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { DatabaseUnavailableError, deleteTenant, openReservation, settleReservation } from '@annals/storage';
import type { Database } from '@annals/storage';
import {
  answerFor,
  type ModelCallsInstance,
  ModelCallsFixture,
  makeCall,
  sum,
  UNLIMITED,
} from './model-calls.fixture.js';
import { findNextBudgetDay } from './budget-day.js';
import type { ModelCall } from './model-calls.js';

describe('spend accounting', () => {
  let fixture: ModelCallsFixture;
  let tenantId: string;

  beforeAll(async () => {
    fixture = await ModelCallsFixture.open();
  });
  beforeEach(async () => {
    fixture.beginDay();
    tenantId = await fixture.makeTenant();
  });
  afterAll(() => fixture.close());

  const readStore = async (coordination: Coordination) => {
    const usage = await coordination.budgets.read(fixture.today, { tenantId, provider: 'claude' });
    return { spent: usage?.deployment?.spentMicroUsd, reserved: usage?.deployment?.reservedMicroUsd };
  };
  const limitTo = (deploymentMicroUsd: number) => ({ ...UNLIMITED, deploymentMicroUsd });
  const spend = async (instance: ModelCallsInstance, call: ModelCall<string>) => {
    const result = await instance.calls.run(call);
    if (result.outcome === 'answered') await result.close('not_written');
    return result;
  };

  it('never exceeds the limit with 64 workers in two processes, random costs, failures, aborts and rebuilds', async () => {
    const LIMIT = 2_000;
    // What a call of the fixture reserves.
    const MAX_COST = 100;
    const coordination = await fixture.createCoordination();
    const instances = await Promise.all(
      [1, 2].map(() => fixture.openInstance({ spending: limitTo(LIMIT), coordination })),
    );
    const rng = new SeededRng(11);
    let admitted = 0;
    // What the provider charges for ended calls, and the most that it can charge for the running ones. The counters can
    // show more than that: a rebuild loads rows that they are about to refuse.
    let committed = 0;
    let mostCommitted = 0;
    const runOne = async (n: number): Promise<string> => {
      let chance = 1;
      const cost = Math.floor(rng.nextFloat() * 101);
      const abort = new AbortController();
      const charge = (microUsd: number) => (committed += microUsd - MAX_COST);
      const invoke = async () => {
        committed += MAX_COST;
        mostCommitted = Math.max(mostCommitted, committed);
        // Assigned to the admitted calls in turn: the budget always admits enough for every outcome to occur.
        chance = ((admitted++ % 10) + 0.5) / 10;
        // Raises the epoch, so that the counters are stale for both processes while calls are running.
        if (admitted % 8 === 0) await fixture.readLedger(fixture.today);
        if (chance < 0.15) {
          charge(0);
          throw new LLMError('transient', 'It failed.', { status: 500 });
        }
        if (chance < 0.3) {
          charge(cost);
          throw new LLMError('policy', 'It refused.', { costMicroUsd: cost });
        }
        // Nobody knows what these two cost, so they are charged in full.
        if (chance < 0.4) throw new LLMError('transient', 'It broke off.');
        if (chance < 0.5) {
          abort.abort(new Error('stopped'));
          throw abort.signal.reason;
        }
        if (chance >= 0.6) charge(cost);
        return answerFor(cost);
      };
      try {
        const result = await instances[n % 2]!.calls.run(makeCall(tenantId, { signal: abort.signal, invoke }));
        if (result.outcome !== 'answered') return result.outcome;
        if (chance < 0.6) return 'answered and never settled';
        if (chance < 0.7) {
          await result.reject(new LLMError('parsing', 'It is no JSON.'), { text: '{', problem: 'It is no JSON.' });
        } else if (chance < 0.8) await result.close('not_written');
        else {
          await fixture.database.inTenant(tenantId, (tx) => settleReservation(tx, result.settlement));
          await result.close('committed');
        }
        return 'answered';
      } catch {
        return 'aborted';
      }
    };
    const outcomes: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      outcomes.push(...(await Promise.all(Array.from({ length: 64 }, (_, n) => runOne(n)))));
    }
    expect(mostCommitted).toBeLessThanOrEqual(LIMIT);
    expect(new Set(outcomes)).toEqual(
      new Set(['answered', 'failed', 'aborted', 'refused', 'answered and never settled']),
    );

    fixture.clock.advance(60_000);
    await Promise.all(instances.map(({ reconciler }) => reconciler.reconcile()));
    const { spent, reserved } = await readStore(coordination);
    const ledger = await fixture.readLedger(fixture.today);
    expect(reserved).toBe(0);
    expect(ledger.reservations).toEqual([]);
    expect(sum(ledger.spentByTenant.values())).toBe(spent);
    expect(sum(ledger.spentByProvider.values())).toBe(spent);
    expect(spent).toBe(committed);

    // No room was lost: what is left can be spent, down to less than one call may cost.
    let refused: Awaited<ReturnType<typeof spend>>;
    do refused = await spend(instances[0]!, makeCall(tenantId));
    while (refused.outcome === 'answered');
    expect(refused).toMatchObject({ outcome: 'refused', why: 'budget' });
    const used = await readStore(coordination);
    expect(used.reserved).toBe(0);
    expect(used.spent).toBeLessThanOrEqual(LIMIT);
    expect(used.spent).toBeGreaterThan(LIMIT - MAX_COST);
  });

  it('rebuilds the counters, open calls included, from the ledger when the store has lost its data', async () => {
    const before = await fixture.openInstance({ spending: limitTo(250) });
    await spend(before, makeCall(tenantId));
    const open = await before.calls.run(makeCall(tenantId));
    // 40 are spent and 100 are reserved; the new store has neither.
    const coordination = await fixture.createCoordination();
    const after = await fixture.openInstance({ spending: limitTo(250), coordination });
    const admitted = await after.calls.run(makeCall(tenantId));
    expect(admitted.outcome).toBe('answered');
    expect(await readStore(coordination)).toEqual({ spent: 40, reserved: 200 });
    const refused = await after.calls.run(makeCall(tenantId));
    expect(refused).toMatchObject({ outcome: 'refused', why: 'budget', scope: 'deployment', shortfallMicroUsd: 90 });
    expect(after.lines.filter(({ event }) => event === 'budget_rebuilt')).toHaveLength(1);
    if (open.outcome !== 'answered') throw new Error(open.outcome);
    await open.close('not_written');
    await after.reconciler.reconcile();
    expect(await readStore(coordination)).toEqual({ spent: 80, reserved: 100 });
  });

  it('admits every call while many processes rebuild the same day concurrently', async () => {
    const coordination = await fixture.createCoordination();
    const instances = await Promise.all(
      Array.from({ length: 6 }, () => fixture.openInstance({ spending: limitTo(1_000_000), coordination })),
    );
    const results = await Promise.all(
      Array.from({ length: 48 }, (_, n) => spend(instances[n % instances.length]!, makeCall(tenantId))),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 48 }, () => 'answered'));
    // A call that ends while its day is rebuilt can leave its reservation open, until it is reconciled.
    await instances[0]!.reconciler.reconcile();
    expect(await readStore(coordination)).toEqual({ spent: 48 * 40, reserved: 0 });
    const ledger = await fixture.readLedger(fixture.today);
    expect(ledger.spentByTenant.get(tenantId)).toBe(48 * 40);
  });

  it('charges a call to the day that admitted it, also when it ends after midnight', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ spending: limitTo(150), coordination });
    const first = fixture.today;
    const midnight = findNextBudgetDay(fixture.clock.now());
    fixture.clock.advance(midnight - fixture.clock.now() - 1_000);
    const late = await instance.calls.run(makeCall(tenantId));
    expect(await instance.calls.run(makeCall(tenantId))).toMatchObject({
      outcome: 'refused',
      why: 'budget',
      until: midnight,
    });
    fixture.clock.advance(2_000);
    // The new day has its whole budget, while the call of yesterday is in flight.
    await spend(instance, makeCall(tenantId));
    if (late.outcome !== 'answered') throw new Error(late.outcome);
    await late.close('not_written');
    for (const day of [first, fixture.today]) {
      expect((await coordination.budgets.read(day, {}))?.deployment).toEqual({
        spentMicroUsd: 40,
        reservedMicroUsd: 0,
      });
      expect((await fixture.readLedger(day)).spentByTenant.get(tenantId)).toBe(40);
    }
  });

  it('charges the call of a dead worker in full, once, with several reconcilers', async () => {
    const coordination = await fixture.createCoordination();
    const spending = limitTo(1_000);
    const dead = await fixture.openInstance({ spending, coordination });
    await dead.calls.run(makeCall(tenantId));
    const others = await Promise.all([1, 2, 3].map(() => fixture.openInstance({ spending, coordination })));
    fixture.clock.advance(34_000);
    await Promise.all(others.map(({ reconciler }) => reconciler.reconcile()));
    expect(await readStore(coordination)).toEqual({ spent: 0, reserved: 100 });
    fixture.clock.advance(2_000);
    await Promise.all(others.map(({ reconciler }) => reconciler.reconcile()));
    expect(await readStore(coordination)).toEqual({ spent: 100, reserved: 0 });
    expect((await fixture.readLedger(fixture.today)).spentByTenant.get(tenantId)).toBe(100);
    const events = others
      .flatMap(({ lines }) => lines)
      .filter(({ event, context }) => event === 'reservation_expired' && context.tenantId === tenantId);
    expect(events).toMatchObject([{ costMicroUSD: 100, provider: 'claude' }]);
  });

  it('does not charge a call whose worker died before the counters admitted it', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination });
    await spend(instance, makeCall(tenantId));
    const [id, now] = [fixture.ids.next(), fixture.clock.now()];
    await fixture.database.inTenant(tenantId, (tx) =>
      openReservation(tx, {
        id,
        batchId: null,
        userId: null,
        operation: 'extraction',
        provider: 'claude',
        model: 'haiku',
        amountMicroUsd: 100,
        day: fixture.today,
        fence: null,
        generation: null,
        now,
        expiresAt: now + 1_000,
      }),
    );
    fixture.clock.advance(1_000);
    await instance.reconciler.reconcile();
    const { reservations, spentByTenant } = await fixture.readLedger(fixture.today);
    expect(reservations).toEqual([]);
    expect(spentByTenant.get(tenantId)).toBe((await readStore(coordination)).spent);
  });

  it('charges a call in full when it is unknown whether it was admitted', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination });
    await instance.calls.run(makeCall(tenantId));
    // Its counters are lost before it is reconciled.
    const other = await fixture.openInstance({
      spending: limitTo(1_000),
      coordination: await fixture.createCoordination(),
    });
    fixture.clock.advance(36_000);
    await other.reconciler.reconcile();
    expect((await fixture.readLedger(fixture.today)).spentByTenant.get(tenantId)).toBe(100);
  });

  it('settles the exact cost after the database was unreachable when the call ended', async () => {
    const coordination = await fixture.createCoordination();
    let isDown = false;
    const database = Object.create(fixture.database) as Database;
    database.inTenant = (tenant, work) =>
      isDown
        ? Promise.reject(new DatabaseUnavailableError(new Error('unreachable')))
        : fixture.database.inTenant(tenant, work);
    database.inTenantTogether = (tenant, _key, work) => database.inTenant(tenant, work);
    const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination, database });
    const invoke = async () => {
      isDown = true;
      throw new LLMError('policy', 'It refused.', { costMicroUsd: 7 });
    };
    expect(await instance.calls.run(makeCall(tenantId, { invoke }))).toMatchObject({
      outcome: 'failed',
      costMicroUsd: 7,
    });
    expect(instance.lines.map(({ event }) => event)).toContain('call_unsettled');
    expect(await readStore(coordination)).toEqual({ spent: 0, reserved: 100 });
    await instance.reconciler.reconcile();
    expect(await readStore(coordination)).toEqual({ spent: 0, reserved: 100 });
    isDown = false;
    await instance.reconciler.reconcile();
    expect(await readStore(coordination)).toEqual({ spent: 7, reserved: 0 });
    expect((await fixture.readLedger(fixture.today)).spentByTenant.get(tenantId)).toBe(7);
  });

  it('settles a call although another settlement can never be written', async () => {
    const coordination = await fixture.createCoordination();
    let writeError: Error | undefined;
    const database = Object.create(fixture.database) as Database;
    database.inTenant = (tenant, work) =>
      writeError ? Promise.reject(writeError) : fixture.database.inTenant(tenant, work);
    database.inTenantTogether = (tenant, _key, work) => database.inTenant(tenant, work);
    const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination, database });
    const invoke = async () => {
      writeError = new Error('value out of range');
      throw new LLMError('policy', 'It refused.', { costMicroUsd: 7 });
    };
    await instance.calls.run(makeCall(tenantId, { invoke }));
    // Its settlement can never be written; meanwhile another process has died.
    await fixture
      .openInstance({ spending: limitTo(1_000), coordination })
      .then(({ calls }) => calls.run(makeCall(tenantId)));
    fixture.clock.advance(36_000);
    await instance.reconciler.reconcile();
    expect(await readStore(coordination)).toEqual({ spent: 200, reserved: 0 });
  });

  it('still counts the spend of a tenant that is deleted before its call is settled in the counters', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ spending: limitTo(100), coordination });
    const answered = await instance.calls.run(makeCall(tenantId));
    if (answered.outcome !== 'answered') throw new Error(answered.outcome);
    await fixture.database.inTenant(tenantId, (tx) => settleReservation(tx, answered.settlement));
    await deleteTenant(fixture.database, tenantId);
    await instance.reconciler.reconcile();
    const other = await fixture.makeTenant();
    const refused = await instance.calls.run(makeCall(other));
    expect(refused).toMatchObject({ outcome: 'refused', why: 'budget', shortfallMicroUsd: 40 });
    expect(await readStore(coordination)).toEqual({ spent: 40, reserved: 0 });
  });

  it('defers calls for seconds, not until midnight, when only reservations exceed the limit', async () => {
    const instance = await fixture.openInstance({ spending: limitTo(150) });
    const [now, midnight] = [fixture.clock.now(), findNextBudgetDay(fixture.clock.now())];
    const running = await instance.calls.run(makeCall(tenantId));
    const meanwhile = await instance.calls.run(makeCall(tenantId));
    expect(meanwhile).toMatchObject({ why: 'budget', shortfallMicroUsd: 50, until: now + 10_000 });
    if (running.outcome !== 'answered') throw new Error(running.outcome);
    await running.close('not_written');
    await spend(instance, makeCall(tenantId));
    expect(await spend(instance, makeCall(tenantId))).toMatchObject({
      why: 'budget',
      shortfallMicroUsd: 30,
      until: midnight,
    });
  });

  describe('leaves nothing reserved', () => {
    const expectNothingReserved = async (coordination: Coordination) => {
      const { reserved } = await readStore(coordination);
      expect(reserved ?? 0).toBe(0);
      expect((await fixture.readLedger(fixture.today)).reservations).toEqual([]);
    };

    /** The rate limiter counts no call, not even a waiting one, but the one that asks. */
    const expectNoUsage = async ({ rateLimiter }: Coordination) => {
      const request = { limiter: 'claude:haiku', rateReservationId: fixture.ids.next(), tenantId, tokens: 0 };
      const limits = { requestsPerMinute: 10, tokensPerMinute: null };
      const admission = await rateLimiter.acquire({ ...request, limits, now: fixture.clock.now() });
      expect(admission.utilizationPercent).toBe(10);
    };

    it('after a call that is above the whole budget', async () => {
      const coordination = await fixture.createCoordination();
      const instance = await fixture.openInstance({ spending: limitTo(99), coordination });
      const refused = await instance.calls.run(makeCall(tenantId));
      expect(refused).toMatchObject({ why: 'budget_too_small', limitMicroUsd: 99, shortfallMicroUsd: 1 });
      await expectNothingReserved(coordination);
    });

    it('after a refusal by each of the budgets, and cancels the probe of the circuit breaker', async () => {
      const spendings = [
        limitTo(150),
        { ...UNLIMITED, tenantMicroUsd: 150 },
        { ...UNLIMITED, providersMicroUsd: { claude: 150 } },
      ];
      for (const [index, spending] of spendings.entries()) {
        fixture.clock.advance(86_400_000);
        const coordination = await fixture.createCoordination({});
        const instance = await fixture.openInstance({ spending, coordination });
        const failing = async () => Promise.reject(new LLMError('transient', 'It is down.', { status: 503 }));
        await instance.calls.run(makeCall(tenantId, { invoke: failing }));
        expect(await instance.calls.run(makeCall(tenantId))).toMatchObject({ outcome: 'refused', why: 'circuit' });
        // The circuit is half-open, and most of the budget is spent.
        fixture.clock.advance(30_000);
        const { clock } = fixture;
        const day = fixture.today;
        const reservation = { reservationId: fixture.ids.next(), day, tenantId, provider: 'claude' };
        const { epoch } = await fixture.readLedger(day);
        await coordination.budgets.load({
          day,
          epoch,
          spentByTenant: new Map([[tenantId, 60]]),
          spentByProvider: new Map([['claude', 60]]),
          reservations: [],
        });
        await coordination.budgets.activate(day, epoch);
        const scope = (['deployment', 'tenant', 'provider'] as const)[index];
        expect(await instance.calls.run(makeCall(tenantId))).toMatchObject({
          why: 'budget',
          scope,
          shortfallMicroUsd: 10,
        });
        expect((await coordination.budgets.read(day, {}))?.deployment?.reservedMicroUsd).toBe(0);
        expect(await coordination.budgets.cancel(reservation)).toBe(false);
        expect((await fixture.readLedger(day)).reservations).toEqual([]);
        expect(await coordination.breaker.acquire('claude:haiku', clock.now())).toMatchObject({ admitted: true });
      }
    });

    it('after a call that was aborted before it was sent', async () => {
      const coordination = await fixture.createCoordination();
      const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination });
      const abort = new AbortController();
      const admit = coordination.admission.admit.bind(coordination.admission);
      coordination.admission.admit = async (request) => {
        const outcome = await admit(request);
        if (outcome.outcome === 'admitted') abort.abort(new Error('stopped'));
        return outcome;
      };
      const invoke = vi.fn();
      await expect(instance.calls.run(makeCall(tenantId, { signal: abort.signal, invoke }))).rejects.toThrow('stopped');
      expect(invoke).not.toHaveBeenCalled();
      await expectNothingReserved(coordination);
      await expectNoUsage(coordination);
    });

    it('after the coordination store admitted a call, but its answer was lost', async () => {
      const coordination = await fixture.createCoordination();
      const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination });
      await spend(instance, makeCall(tenantId));
      fixture.clock.advance(61_000);
      const admit = coordination.admission.admit.bind(coordination.admission);
      coordination.admission.admit = async (request) => {
        expect((await admit(request)).outcome).toBe('admitted');
        throw new CoordinationUnavailableError();
      };
      await expect(instance.calls.run(makeCall(tenantId))).rejects.toBeInstanceOf(CoordinationUnavailableError);
      await expectNothingReserved(coordination);
      await expectNoUsage(coordination);
      expect(instance.lines.filter(({ event }) => event === 'coordination_unavailable')).toHaveLength(1);
    });

    it('after the coordination store became unreachable between two operations', async () => {
      const coordination = await fixture.createCoordination();
      const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination });
      const { rateLimiter } = coordination;
      const blockedUntil = fixture.clock.now() + 1_000;
      const observed = { limiter: 'claude:haiku', observed: { blockedUntil }, now: fixture.clock.now() };
      await rateLimiter.observe(observed);
      expect(await instance.calls.run(makeCall(tenantId))).toMatchObject({ why: 'rate', reason: 'blocked' });
      fixture.clock.advance(1_000);
      // After a refusal the budgets are asked in a step of their own.
      coordination.budgets.reserve = () => Promise.reject(new CoordinationUnavailableError());
      await expect(instance.calls.run(makeCall(tenantId))).rejects.toBeInstanceOf(CoordinationUnavailableError);
      await expectNothingReserved(coordination);
      await expectNoUsage(coordination);
      expect(instance.lines.filter(({ event }) => event === 'coordination_unavailable')).toHaveLength(1);
    });

    it('and opens no ledger row for a call that is refused again by circuit breaker or rate limiter', async () => {
      const coordination = await fixture.createCoordination({});
      const database = Object.create(fixture.database) as Database;
      let transactions = 0;
      database.inTenant = (tenant, work) => {
        transactions += 1;
        return fixture.database.inTenant(tenant, work);
      };
      database.inTenantTogether = (tenant, _key, work) => database.inTenant(tenant, work);
      const instance = await fixture.openInstance({ spending: limitTo(1_000), coordination, database });
      const run = async (more: Partial<ModelCall<string>> = {}) => {
        transactions = 0;
        const result = await spend(instance, makeCall(tenantId, more));
        return [result.outcome === 'refused' ? result.why : result.outcome, transactions];
      };
      const failing = (status: number, type: 'rate_limit' | 'transient') => async () =>
        Promise.reject(new LLMError(type, 'It failed.', { status, retryAfterMs: 20_000 }));
      await run({ invoke: failing(429, 'rate_limit') });
      expect([await run(), await run()]).toEqual([
        ['rate', 2],
        ['rate', 0],
      ]);
      fixture.clock.advance(20_000);
      expect(await run({ invoke: failing(503, 'transient') })).toEqual(['failed', 2]);
      expect([await run(), await run()]).toEqual([
        ['circuit', 0],
        ['circuit', 0],
      ]);
      fixture.clock.advance(40_000);
      expect([await run(), await run()]).toEqual([
        ['answered', 2],
        ['answered', 2],
      ]);
      await expectNothingReserved(coordination);
    });
  });

  it('reserves no budget for a free call, but records it in the ledger', async () => {
    const coordination = await fixture.createCoordination();
    const instance = await fixture.openInstance({ spending: limitTo(1), coordination });
    const free = makeCall(tenantId, { maxCostMicroUsd: 0, invoke: async () => answerFor(0) });
    expect((await spend(instance, free)).outcome).toBe('answered');
    expect(await coordination.budgets.read(fixture.today, {})).toBeNull();
    const [calls] = await fixture.database.readTenant(tenantId, (tx) =>
      tx.query<{ input_tokens: number }>('SELECT input_tokens FROM usage'),
    );
    expect(calls).toEqual({ input_tokens: 10 });
  });
});

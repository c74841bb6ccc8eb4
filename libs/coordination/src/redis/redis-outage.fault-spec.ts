import { startPrivateRedis, waitUntil, type PrivateServer } from '@annals/testing';
import { Redis } from 'ioredis';
import { loadActive, makeReserve, makeSnapshot } from '../contract/budget-store.contract.js';
import { createOnRedis } from '../fixtures/create-on-redis.fixture.js';
import { CoordinationUnavailableError, type Coordination } from '../port/coordination.js';

const DAY = '2026-11-22';
const NOW = Date.UTC(2026, 10, 22);

describe('coordination on Redis during outages and data loss', () => {
  let server: PrivateServer;
  let admin: Redis;
  let coordination: Coordination;

  beforeEach(async () => {
    server = await startPrivateRedis();
    admin = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    admin.on('error', () => undefined);
    coordination = createOnRedis(server.url, { keyPrefix: 'spec' });
    await loadActive(coordination.budgets, makeSnapshot());
  });
  afterEach(async () => {
    await coordination.close();
    admin.disconnect();
    await server.stop();
  });

  const isReachable = (of: Coordination): Promise<boolean> =>
    of.ping().then(
      () => true,
      () => false,
    );
  const waitForServer = (): Promise<unknown> =>
    waitUntil(() => isReachable(coordination), { describe: 'the server is reachable again' });

  async function expectStaleUntilLoaded(): Promise<void> {
    const { budgets } = coordination;
    expect(await budgets.reserve(makeReserve())).toEqual({ outcome: 'stale' });
    expect(await budgets.settle({ ...makeReserve(), costMicroUsd: 1 })).toEqual({ outcome: 'unknown' });
    expect(await budgets.cancel(makeReserve())).toBe(false);
    expect(await budgets.read(DAY, {})).toBeNull();
    expect(await budgets.listReservations(DAY)).toBeNull();
    expect(await loadActive(budgets, makeSnapshot({ epoch: 2 }))).toBe(true);
    expect(await budgets.reserve(makeReserve({ epoch: 2 }))).toEqual({ outcome: 'admitted' });
  }

  it('is stale after a flush of data and scripts', async () => {
    await admin.flushall();
    await admin.script('FLUSH');
    await expectStaleUntilLoaded();
  });

  it('is stale when the day was evicted', async () => {
    await admin.del(`{spec}:budget:${DAY}`);
    await expectStaleUntilLoaded();
  });

  it('is stale after a restart with an older snapshot of the data, and refuses its epoch', async () => {
    const { budgets } = coordination;
    await admin.save();
    await budgets.reserve(makeReserve({ reservationId: 'after the snapshot' }));
    await server.kill9();
    await server.restart();
    await waitForServer();
    expect(await admin.hget(`{spec}:budget:${DAY}`, 'epoch')).toBe('1');
    expect(await loadActive(budgets, makeSnapshot({ epoch: 1 }))).toBe(false);
    await expectStaleUntilLoaded();
  });

  it('fails immediately while the server is down, and recovers by itself', async () => {
    await server.kill9();
    const { admission, budgets, breaker, rateLimiter } = coordination;
    const rate = { limiter: 'g', rateReservationId: 't', tenantId: 'acme', tokens: 1, now: NOW };
    await waitUntil(async () => !(await isReachable(coordination)), { describe: 'the broken connection is noticed' });
    const limits = { requestsPerMinute: 1, tokensPerMinute: null };
    for (const call of [
      () => coordination.ping(),
      () => budgets.reserve(makeReserve()),
      () => loadActive(budgets, makeSnapshot({ epoch: 9 })),
      () => breaker.acquire('c', NOW),
      () => breaker.read('c', NOW),
      () => rateLimiter.acquire({ ...rate, limits }),
      () => admission.admit({ circuit: 'c', rate: { ...rate, limits }, budget: makeReserve() }),
      () => admission.close({ now: NOW, budget: { ...makeReserve(), costMicroUsd: 1 } }),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(CoordinationUnavailableError);
    }
    await server.restart();
    await waitForServer();
    await expectStaleUntilLoaded();
  });

  it('fails a command whose connection breaks in flight and does not repeat it', async () => {
    await admin.client('PAUSE', 60_000, 'ALL');
    const inFlight = coordination.budgets.reserve(makeReserve());
    await Promise.all([expect(inFlight).rejects.toBeInstanceOf(CoordinationUnavailableError), server.kill9()]);
    await server.restart();
    await waitForServer();
    await loadActive(coordination.budgets, makeSnapshot({ epoch: 2 }));
    expect(await coordination.budgets.listReservations(DAY)).toEqual([]);
  });

  it('closes the connection when a command times out', async () => {
    const shortTimeout = createOnRedis(server.url, { keyPrefix: 'spec', commandTimeoutMs: 1_000 });
    await waitUntil(() => isReachable(shortTimeout), { describe: 'the server isReachable' });
    await admin.client('PAUSE', 5_000, 'ALL');
    await expect(shortTimeout.budgets.reserve(makeReserve())).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await expect(shortTimeout.ping()).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await waitUntil(() => isReachable(shortTimeout), { describe: 'the server is reachable again' });
    const reserve = makeReserve({ reservationId: 'later' });
    await waitUntil(() => shortTimeout.budgets.reserve(reserve), { describe: 'its run is known again' });
    await shortTimeout.close();
  });

  it('starts without a server', async () => {
    await server.kill9();
    const early = createOnRedis(server.url, { keyPrefix: 'spec' });
    await expect(early.ping()).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await server.restart();
    await waitUntil(() => isReachable(early), { describe: 'the server is found' });
    await early.close();
  });

  it('sets an expiry on every key, and one hash tag on all of them', async () => {
    const limits = { requestsPerMinute: 1, tokensPerMinute: 1_000 };
    await coordination.budgets.reserve(makeReserve());
    await coordination.breaker.acquire('claude:haiku', NOW);
    for (const rateReservationId of ['a', 'b']) {
      await coordination.rateLimiter.acquire({
        limiter: 'claude:haiku',
        rateReservationId,
        tenantId: 'x',
        tokens: 9,
        limits,
        now: NOW,
      });
    }
    const observed = { requests: { limit: 5, remaining: 5, resetAt: NOW + 1_000 } };
    await coordination.rateLimiter.observe({ limiter: 'claude:haiku', observed, now: NOW });
    const keys = (await admin.keys('*')).toSorted();
    expect(keys).toEqual([
      `{spec}:budget:${DAY}`,
      '{spec}:circuit:claude:haiku',
      '{spec}:rate:claude:haiku:counters',
      '{spec}:rate:claude:haiku:reservations',
      '{spec}:rate:claude:haiku:waiting',
    ]);
    for (const key of keys) expect(await admin.ttl(key)).toBeGreaterThan(0);
  });

  it('admits a call with one script, also when it refuses, and closes it with one', async () => {
    const { admission } = coordination;
    const rate = { limiter: 'g', rateReservationId: 'a', tenantId: 'x', tokens: 9, now: NOW };
    const request = { circuit: 'g', rate: { ...rate, limits: { requestsPerMinute: 9, tokensPerMinute: 99 } } };
    const count = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
      await work();
      const before = await readCommands();
      await work();
      const after = await readCommands();
      return Object.fromEntries(
        Object.entries(after).flatMap(([name, calls]) => {
          const sent = calls - (before[name] ?? 0);
          return sent > 0 && ['eval', 'evalsha', 'script', 'multi', 'ping'].includes(name) ? [[name, sent]] : [];
        }),
      );
    };
    const admitted = await admission.admit({ ...request, budget: makeReserve() });
    if (admitted.outcome !== 'admitted') throw new Error(admitted.by);
    const { reservation } = admitted.breaker;
    for (const [changes, outcome] of [
      [{}, { outcome: 'admitted' }],
      [
        { reservationId: 'b', amountMicroUsd: 2, limits: { deployment: 1, tenant: null, provider: null } },
        { by: 'budgets', budget: { outcome: 'refused' } },
      ],
      [{ epoch: 3 }, { by: 'budgets', budget: { outcome: 'stale' } }],
    ] as const) {
      const admit = async () =>
        expect(await admission.admit({ ...request, budget: makeReserve(changes) })).toMatchObject(outcome);
      expect(await count(admit)).toEqual({ evalsha: 1 });
    }
    const close = () =>
      admission.close({
        now: NOW,
        breaker: { circuit: 'g', reservation, outcome: 'success' },
        rate: { ...rate, tokens: 5 },
        budget: { ...makeReserve(), costMicroUsd: 7 },
        observed: { limiter: 'g', limits: { tokens: { limit: 9, remaining: 9, resetAt: NOW + 9 } } },
      });
    expect(await count(close)).toEqual({ evalsha: 1 });
    await coordination.rateLimiter.observe({ limiter: 'g', observed: { blockedUntil: NOW + 9 }, now: NOW });
    const blocked = { ...request, rate: { ...request.rate, rateReservationId: 'c' } };
    const refused = async () => expect(await admission.admit(blocked)).toMatchObject({ by: 'rates' });
    expect(await count(refused)).toEqual({ evalsha: 1 });
  });

  async function readCommands(): Promise<Record<string, number>> {
    const statistics = await admin.info('commandstats');
    return Object.fromEntries(
      [...statistics.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)]),
    );
  }

  it('stores little for a flood of refused requests', async () => {
    const limits = { requestsPerMinute: 1, tokensPerMinute: null };
    const request = (index: number): Promise<unknown> =>
      coordination.rateLimiter.acquire({
        limiter: 'g',
        rateReservationId: `t${index}`,
        tenantId: 'x',
        tokens: 9,
        limits,
        now: NOW,
      });
    for (let index = 0; index < 10_000; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, offset) => request(index + offset)));
    }
    expect(await admin.hlen('{spec}:rate:g:counters')).toBeLessThan(12);
    expect(await admin.zcard('{spec}:rate:g:waiting')).toBe(1);
    expect(await admin.zcard('{spec}:rate:g:reservations')).toBe(1);
  });

  it('starts a new minute when one of its keys was evicted', async () => {
    const limits = { requestsPerMinute: 1, tokensPerMinute: null };
    const request = { limiter: 'g', tenantId: 'x', tokens: 9, limits, now: NOW };
    await coordination.rateLimiter.acquire({ ...request, rateReservationId: 'a' });
    await admin.del('{spec}:rate:g:reservations');
    expect(await coordination.rateLimiter.acquire({ ...request, rateReservationId: 'b' })).toMatchObject({
      admitted: true,
    });
  });
});

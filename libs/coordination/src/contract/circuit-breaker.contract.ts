import type { BreakerPolicy, CallOutcome, CircuitBreaker } from '../port/circuit-breaker.js';
import { using, withPolicy, type CreateCoordination } from '../fixtures/coordination.fixture.js';

const T0 = Date.UTC(2026, 10, 22);
const CIRCUIT = 'claude:claude-haiku-5-5';

/** Acquires a reservation; fails the test when it is refused. */
async function take(breaker: CircuitBreaker, now: number): Promise<string> {
  const admission = await breaker.acquire(CIRCUIT, now);
  if (!admission.admitted) throw new Error(`Refused until ${admission.retryAt}.`);
  return admission.reservation;
}

async function call(breaker: CircuitBreaker, outcome: CallOutcome, now: number): ReturnType<CircuitBreaker['report']> {
  return breaker.report(CIRCUIT, await take(breaker, now), outcome, now);
}

export function describeCircuitBreaker(create: CreateCoordination): void {
  const on = (changes: Partial<BreakerPolicy>, test: (breaker: CircuitBreaker) => Promise<void>) => () =>
    using(create, withPolicy(changes), ({ breaker }) => test(breaker));

  describe('closed', () => {
    it(
      'opens at the first failure, with a failure rate of 1',
      on({}, async (breaker) => {
        expect(await call(breaker, 'failure', T0)).toEqual({
          previousState: 'closed',
          circuitState: 'open',
          failureRate: 1,
        });
        expect(await breaker.acquire(CIRCUIT, T0)).toEqual({ admitted: false, state: 'open', retryAt: T0 + 30_000 });
      }),
    );

    // Completed attempts in order (s, f), minAttempts, and whether the last one opens.
    it.each<[string, number, boolean]>([
      ['s', 1, false],
      ['sf', 1, true],
      ['ssf', 1, false],
      ['ssff', 1, true],
      ['ffff', 5, false],
      ['fffff', 5, true],
      ['sssff', 5, false],
      ['ssfff', 5, true],
      ['ffffs', 5, false],
      ['ffffsf', 5, true],
    ])('after %s with minAttempts %s: opens %s', (attempts, minAttempts, opens) =>
      on({ minAttempts }, async (breaker) => {
        const outcomes = attempts.split('').map((letter): CallOutcome => (letter === 's' ? 'success' : 'failure'));
        const transitions = [];
        for (const outcome of outcomes) transitions.push(await call(breaker, outcome, T0));
        expect(transitions.slice(0, -1)).toEqual(outcomes.slice(1).map(() => null));
        expect(transitions.at(-1) !== null).toBe(opens);
      })(),
    );

    it(
      'counts the last 20 attempts only',
      on({ minAttempts: 20 }, async (breaker) => {
        for (let index = 0; index < 10; index += 1) await call(breaker, 'success', T0);
        for (let index = 0; index < 9; index += 1) expect(await call(breaker, 'failure', T0)).toBeNull();
        for (let index = 0; index < 1; index += 1) await call(breaker, 'success', T0);
        // 20 attempts, 9 of them failures; the next failure pushes the oldest success out: 10 of 20.
        expect(await call(breaker, 'failure', T0)).toMatchObject({ failureRate: 0.5 });
      }),
    );

    it.each([
      [60_000, 1 / 3],
      [60_001, 1],
    ])('after a failure %s ms ago has a failure rate of %s', (age, failureRate) =>
      on({ errorThreshold: 0.9 }, async (breaker) => {
        await call(breaker, 'success', T0);
        await call(breaker, 'success', T0);
        const transition = await call(breaker, 'failure', T0 + age);
        expect(await breaker.read(CIRCUIT, T0 + age)).toMatchObject({ failureRate });
        expect(transition !== null).toBe(failureRate === 1);
      })(),
    );

    it(
      'ignores an abandoned call',
      on({}, async (breaker) => {
        expect(await call(breaker, 'abandoned', T0)).toBeNull();
        expect(await breaker.read(CIRCUIT, T0)).toEqual({ state: 'closed', failureRate: 0, retryAt: null });
      }),
    );

    it(
      'counts a reservation once and ignores an unknown one',
      on({ minAttempts: 2 }, async (breaker) => {
        const reservation = await take(breaker, T0);
        await breaker.report(CIRCUIT, reservation, 'success', T0);
        expect(await breaker.report(CIRCUIT, reservation, 'failure', T0)).toBeNull();
        expect(await breaker.report(CIRCUIT, `${reservation}0`, 'failure', T0)).toBeNull();
        expect(await breaker.report('another', reservation, 'failure', T0)).toBeNull();
        expect(await breaker.read(CIRCUIT, T0)).toMatchObject({ failureRate: 0 });
      }),
    );

    it(
      'keeps a separate state for each circuit',
      on({}, async (breaker) => {
        await call(breaker, 'failure', T0);
        expect(await breaker.acquire('openai:gpt-6-luna', T0)).toMatchObject({ admitted: true, state: 'closed' });
      }),
    );
  });

  describe('open', () => {
    it(
      'refuses all calls during the cooldown and admits one from the millisecond when it ends',
      on({}, async (breaker) => {
        await call(breaker, 'failure', T0);
        expect(await breaker.acquire(CIRCUIT, T0 + 29_999)).toMatchObject({ admitted: false, retryAt: T0 + 30_000 });
        expect(await breaker.acquire(CIRCUIT, T0 + 30_000)).toMatchObject({
          admitted: true,
          state: 'half_open',
          transition: { previousState: 'open', circuitState: 'half_open', failureRate: 1 },
        });
        const second = await breaker.acquire(CIRCUIT, T0 + 30_000);
        expect(second).toEqual({ admitted: false, state: 'half_open', retryAt: T0 + 32_000 });
      }),
    );

    it(
      'ignores reports of calls admitted before it opened',
      on({ minAttempts: 1 }, async (breaker) => {
        const early = await take(breaker, T0);
        const failing = await take(breaker, T0);
        await breaker.report(CIRCUIT, failing, 'failure', T0);
        expect(await breaker.report(CIRCUIT, early, 'success', T0)).toBeNull();
        await take(breaker, T0 + 30_000);
        expect(await breaker.report(CIRCUIT, early, 'failure', T0 + 30_000)).toBeNull();
        expect(await breaker.read(CIRCUIT, T0 + 30_000)).toMatchObject({ state: 'half_open' });
      }),
    );

    it(
      'reads the state that the next caller would get, without changing it',
      on({}, async (breaker) => {
        await call(breaker, 'failure', T0);
        expect(await breaker.read(CIRCUIT, T0)).toEqual({ state: 'open', failureRate: 1, retryAt: T0 + 30_000 });
        const halfOpen = { state: 'half_open', failureRate: 1, retryAt: null };
        expect(await breaker.read(CIRCUIT, T0 + 30_000)).toEqual(halfOpen);
        expect(await breaker.read(CIRCUIT, T0 + 30_000)).toEqual(halfOpen);
        expect(await breaker.acquire(CIRCUIT, T0 + 30_000)).toMatchObject({ transition: { previousState: 'open' } });
      }),
    );
  });

  describe.each([1, 3])('half-open with %s probes', (probesRequired) => {
    const now = T0 + 30_000;
    const onHalfOpen = (test: (breaker: CircuitBreaker, reservations: string[]) => Promise<void>) =>
      on({ probesRequired }, async (breaker) => {
        await call(breaker, 'failure', T0);
        const reservations = [];
        for (let probe = 0; probe < probesRequired; probe += 1) reservations.push(await take(breaker, now));
        await test(breaker, reservations);
      });

    it(
      'closes at the last success, with an empty window',
      onHalfOpen(async (breaker, reservations) => {
        const transitions = [];
        for (const reservation of reservations) {
          expect(await breaker.acquire(CIRCUIT, now)).toMatchObject({ admitted: false });
          transitions.push(await breaker.report(CIRCUIT, reservation, 'success', now));
        }
        expect(transitions.slice(0, -1)).toEqual(reservations.slice(1).map(() => null));
        expect(transitions.at(-1)).toMatchObject({ previousState: 'half_open', circuitState: 'closed' });
        expect(await breaker.read(CIRCUIT, now)).toEqual({ state: 'closed', failureRate: 0, retryAt: null });
      }),
    );

    it(
      'opens again at any failure and resets the successes',
      onHalfOpen(async (breaker, reservations) => {
        for (const reservation of reservations.slice(1)) await breaker.report(CIRCUIT, reservation, 'success', now);
        expect(await breaker.report(CIRCUIT, reservations[0] ?? '', 'failure', now + 5)).toMatchObject({
          previousState: 'half_open',
          circuitState: 'open',
        });
        expect(await breaker.acquire(CIRCUIT, now + 30_004)).toMatchObject({ admitted: false, state: 'open' });
        for (let probe = 0; probe < probesRequired; probe += 1) await take(breaker, now + 30_005);
        expect(await breaker.acquire(CIRCUIT, now + 30_005)).toMatchObject({ admitted: false, state: 'half_open' });
      }),
    );

    it(
      'gives the reservation of an abandoned probe to one other caller',
      onHalfOpen(async (breaker, reservations) => {
        expect(await breaker.report(CIRCUIT, reservations[0] ?? '', 'abandoned', now)).toBeNull();
        expect(await breaker.report(CIRCUIT, reservations[0] ?? '', 'abandoned', now)).toBeNull();
        expect(await breaker.acquire(CIRCUIT, now)).toMatchObject({ admitted: true, state: 'half_open' });
        expect(await breaker.acquire(CIRCUIT, now)).toMatchObject({ admitted: false });
      }),
    );

    it(
      'opens again when a probe lease expires',
      onHalfOpen(async (breaker, reservations) => {
        expect(await breaker.acquire(CIRCUIT, now + 89_999)).toMatchObject({ state: 'half_open' });
        const ended = now + 90_000;
        expect(await breaker.read(CIRCUIT, ended)).toMatchObject({ state: 'open', retryAt: ended + 30_000 });
        expect(await breaker.acquire(CIRCUIT, ended)).toEqual({
          admitted: false,
          state: 'open',
          retryAt: ended + 30_000,
          transition: { previousState: 'half_open', circuitState: 'open', failureRate: 1 },
        });
        expect(await breaker.report(CIRCUIT, reservations[0] ?? '', 'success', ended)).toBeNull();
      }),
    );

    it(
      'ignores a success that is reported after the lease expired',
      onHalfOpen(async (breaker, reservations) => {
        expect(await breaker.report(CIRCUIT, reservations[0] ?? '', 'success', now + 90_000)).toMatchObject({
          previousState: 'half_open',
          circuitState: 'open',
        });
      }),
    );

    it(
      'never returns a retryAt after the end of a lease',
      onHalfOpen(async (breaker) => {
        expect(await breaker.acquire(CIRCUIT, now + 89_500)).toMatchObject({ retryAt: now + 90_000 });
      }),
    );
  });
}

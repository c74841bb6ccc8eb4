import type { BudgetLimits, BudgetSnapshot, BudgetStore, ReserveRequest } from '../port/budget-store.js';
import { using, type CreateCoordination } from '../fixtures/coordination.fixture.js';

const DAY = '2026-11-22';
export const NO_LIMITS: BudgetLimits = { deployment: null, tenant: null, provider: null };

export function makeReserve(changes: Partial<ReserveRequest> = {}): ReserveRequest {
  return {
    reservationId: 'r1',
    day: DAY,
    tenantId: 'acme',
    provider: 'claude',
    amountMicroUsd: 10,
    limits: NO_LIMITS,
    epoch: 1,
    ...changes,
  };
}

export function makeSnapshot(changes: Partial<BudgetSnapshot> = {}): BudgetSnapshot {
  return { day: DAY, epoch: 1, spentByTenant: new Map(), spentByProvider: new Map(), reservations: [], ...changes };
}

/** Loads and activates a snapshot, as a rebuild does when no newer one follows. */
export async function loadActive(budgets: BudgetStore, snapshot: BudgetSnapshot): Promise<boolean> {
  return (await budgets.load(snapshot)) && budgets.activate(snapshot.day, snapshot.epoch);
}

const limitOf = (scope: keyof BudgetLimits, limit: number): BudgetLimits => ({ ...NO_LIMITS, [scope]: limit });

export function describeBudgetStore(create: CreateCoordination): void {
  const onLoaded = (test: (budgets: BudgetStore) => Promise<void>, snapshot = makeSnapshot()): (() => Promise<void>) =>
    onEmpty(async (budgets) => {
      await loadActive(budgets, snapshot);
      await test(budgets);
    });
  const onEmpty = (test: (budgets: BudgetStore) => Promise<void>) => (): Promise<void> =>
    using(create, undefined, ({ budgets }) => test(budgets));

  describe('admission check', () => {
    for (const scope of ['deployment', 'tenant', 'provider'] as const) {
      it(
        `admits up to the ${scope}'s limit and not one micro-USD more`,
        onLoaded(async (budgets) => {
          const limits = limitOf(scope, 100);
          expect(await budgets.reserve(makeReserve({ amountMicroUsd: 60, limits }))).toEqual({ outcome: 'admitted' });
          const refused = await budgets.reserve(makeReserve({ reservationId: 'r2', amountMicroUsd: 41, limits }));
          expect(refused).toEqual({
            outcome: 'refused',
            scope,
            limitMicroUsd: 100,
            shortfallMicroUsd: 1,
            spentMicroUsd: 0,
            reservedMicroUsd: 60,
          });
          const fitting = await budgets.reserve(makeReserve({ reservationId: 'r3', amountMicroUsd: 40, limits }));
          expect(fitting).toEqual({ outcome: 'admitted' });
        }),
      );

      it.each([null, 0, -5])(`does not enforce a ${scope} limit of %s`, (limit) =>
        onLoaded(async (budgets) => {
          const limits = { ...NO_LIMITS, [scope]: limit };
          const outcome = await budgets.reserve(makeReserve({ amountMicroUsd: Number.MAX_SAFE_INTEGER, limits }));
          expect(outcome).toEqual({ outcome: 'admitted' });
        })(),
      );
    }

    it(
      'reports the first scope whose limit is exceeded',
      onLoaded(async (budgets) => {
        const limits = { deployment: 100, tenant: 5, provider: 5 };
        expect(await budgets.reserve(makeReserve({ limits }))).toMatchObject({ scope: 'tenant', shortfallMicroUsd: 5 });
      }),
    );

    it(
      'counts each tenant, each provider and the deployment separately',
      onLoaded(async (budgets) => {
        const limits = { deployment: 30, tenant: 10, provider: 20 };
        const reserve = async (reservationId: string, tenantId: string, provider: string): Promise<string> => {
          const answer = await budgets.reserve(makeReserve({ reservationId, tenantId, provider, limits }));
          return answer.outcome === 'refused' ? answer.scope : answer.outcome;
        };
        expect(await reserve('a', 'acme', 'claude')).toBe('admitted');
        expect(await reserve('b', 'acme', 'openai')).toBe('tenant');
        expect(await reserve('c', 'beta', 'claude')).toBe('admitted');
        expect(await reserve('d', 'gamma', 'claude')).toBe('provider');
        expect(await reserve('e', 'gamma', 'openai')).toBe('admitted');
        expect(await reserve('f', 'delta', 'openai')).toBe('deployment');
      }),
    );

    it(
      'is exact up to 2^53 − 1',
      onLoaded(async (budgets) => {
        const limits = limitOf('tenant', Number.MAX_SAFE_INTEGER);
        const first = makeReserve({ amountMicroUsd: Number.MAX_SAFE_INTEGER - 1, limits });
        expect(await budgets.reserve(first)).toEqual({ outcome: 'admitted' });
        expect(await budgets.reserve(makeReserve({ reservationId: 'b', amountMicroUsd: 2, limits }))).toMatchObject({
          outcome: 'refused',
        });
        expect(await budgets.reserve(makeReserve({ reservationId: 'c', amountMicroUsd: 1, limits }))).toEqual({
          outcome: 'admitted',
        });
        expect(await budgets.cancel(first)).toBe(true);
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 1 } });
      }),
    );
  });

  describe('settle and cancel', () => {
    it(
      'turns a reservation into spend and returns the spend before and after',
      onLoaded(async (budgets) => {
        await budgets.reserve(makeReserve({ amountMicroUsd: 50 }));
        const change = { beforeMicroUsd: 0, afterMicroUsd: 20 };
        expect(await budgets.settle({ ...makeReserve(), costMicroUsd: 20 })).toEqual({
          outcome: 'settled',
          spent: { deployment: change, tenant: change, provider: change },
        });
        const usage = { spentMicroUsd: 20, reservedMicroUsd: 0 };
        expect(await budgets.read(DAY, { tenantId: 'acme', provider: 'claude' })).toEqual({
          deployment: usage,
          tenant: usage,
          provider: usage,
        });
      }),
    );

    it(
      'counts a cost above the reserved amount in full',
      onLoaded(async (budgets) => {
        await budgets.reserve(makeReserve());
        await budgets.settle({ ...makeReserve(), costMicroUsd: 25 });
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 25, reservedMicroUsd: 0 } });
      }),
    );

    it(
      'takes effect once when repeated',
      onLoaded(async (budgets) => {
        const request = makeReserve();
        for (let time = 0; time < 3; time += 1) expect(await budgets.reserve(request)).toEqual({ outcome: 'admitted' });
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 10 } });
        expect(await budgets.settle({ ...request, costMicroUsd: 4 })).toMatchObject({ outcome: 'settled' });
        expect(await budgets.settle({ ...request, costMicroUsd: 4 })).toEqual({ outcome: 'unknown' });
        expect(await budgets.cancel(request)).toBe(false);
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 4, reservedMicroUsd: 0 } });
        await budgets.reserve(makeReserve({ reservationId: 'r2' }));
        expect(await budgets.cancel({ reservationId: 'r2', day: DAY })).toBe(true);
        expect(await budgets.cancel({ reservationId: 'r2', day: DAY })).toBe(false);
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 4, reservedMicroUsd: 0 } });
      }),
    );

    it(
      'admits a repeated reserve even if the limit was lowered in between',
      onLoaded(async (budgets) => {
        await budgets.reserve(makeReserve());
        expect(await budgets.reserve(makeReserve({ limits: limitOf('tenant', 1) }))).toEqual({ outcome: 'admitted' });
      }),
    );

    it.each(['', 'a b', 'ten:ant', '{tag}', '"quoted\\"', 'ünïcödé', '%d'])(
      'accepts any characters in names: %j',
      (name) =>
        onLoaded(async (budgets) => {
          const reservation = makeReserve({ reservationId: `r${name}`, tenantId: name, provider: name });
          await budgets.reserve(reservation);
          expect(await budgets.listReservations(DAY)).toEqual([`r${name}`]);
          await budgets.settle({ ...reservation, costMicroUsd: 3 });
          const usage = { spentMicroUsd: 3, reservedMicroUsd: 0 };
          expect(await budgets.read(DAY, { tenantId: name, provider: name })).toEqual({
            deployment: usage,
            tenant: usage,
            provider: usage,
          });
        })(),
    );
  });

  describe('day and epoch', () => {
    it(
      'returns stale, unknown or null for a day that was not loaded',
      onEmpty(async (budgets) => {
        expect(await budgets.reserve(makeReserve())).toEqual({ outcome: 'stale' });
        expect(await budgets.settle({ ...makeReserve(), costMicroUsd: 1 })).toEqual({ outcome: 'unknown' });
        expect(await budgets.cancel(makeReserve())).toBe(false);
        expect(await budgets.read(DAY, {})).toBeNull();
        expect(await budgets.listReservations(DAY)).toBeNull();
      }),
    );

    it.each([0, 1, 3])('is stale for epoch %s when it has epoch 2', (epoch) =>
      onLoaded(
        async (budgets) => {
          expect(await budgets.reserve(makeReserve({ epoch }))).toEqual({ outcome: 'stale' });
        },
        makeSnapshot({ epoch: 2 }),
      )(),
    );

    it.each([1, 2])('refuses to load epoch %s over epoch 2', (epoch) =>
      onLoaded(
        async (budgets) => {
          expect(await loadActive(budgets, makeSnapshot({ epoch, spentByTenant: new Map([['acme', 9]]) }))).toBe(false);
          expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 0 } });
        },
        makeSnapshot({ epoch: 2 }),
      )(),
    );

    it(
      'admits nothing before a snapshot is activated, and then only with its epoch',
      onEmpty(async (budgets) => {
        await budgets.load(makeSnapshot({ epoch: 2 }));
        expect(await budgets.reserve(makeReserve({ epoch: 2 }))).toEqual({ outcome: 'stale' });
        expect(await budgets.read(DAY, {})).toBeNull();
        expect(await budgets.listReservations(DAY)).toBeNull();
        expect(await budgets.activate(DAY, 1)).toBe(false);
        expect(await budgets.reserve(makeReserve({ epoch: 1 }))).toEqual({ outcome: 'stale' });
        expect(await budgets.isOfEpoch(DAY, 2)).toBe(false);
        expect([await budgets.activate(DAY, 2), await budgets.activate(DAY, 2)]).toEqual([true, true]);
        expect([await budgets.isOfEpoch(DAY, 1), await budgets.isOfEpoch(DAY, 2)]).toEqual([false, true]);
        expect(await budgets.reserve(makeReserve({ epoch: 2 }))).toEqual({ outcome: 'admitted' });
      }),
    );

    it(
      'does not activate a snapshot that a newer one has replaced',
      onLoaded(async (budgets) => {
        await budgets.load(makeSnapshot({ epoch: 2 }));
        expect(await budgets.reserve(makeReserve({ epoch: 1 }))).toEqual({ outcome: 'stale' });
        await budgets.load(makeSnapshot({ epoch: 3 }));
        expect(await budgets.load(makeSnapshot({ epoch: 2 }))).toBe(false);
        expect(await budgets.activate(DAY, 2)).toBe(false);
        expect(await budgets.activate(DAY, 3)).toBe(true);
      }),
    );

    it(
      'does not activate a day that is not loaded',
      onEmpty(async (budgets) => {
        expect(await budgets.activate(DAY, 0)).toBe(false);
        expect(await budgets.activate(DAY, 1)).toBe(false);
        expect(await budgets.isOfEpoch(DAY, 0)).toBe(false);
      }),
    );

    it(
      'replaces its counters by the snapshot of the ledger',
      onLoaded(async (budgets) => {
        await budgets.reserve(makeReserve({ reservationId: 'gone' }));
        const openReservation = {
          reservationId: 'open',
          day: DAY,
          tenantId: 'acme',
          provider: 'claude',
          amountMicroUsd: 7,
        };
        const spentByTenant = new Map([
          ['acme', 30],
          ['beta', 12],
        ]);
        const spentByProvider = new Map([['claude', 42]]);
        const snapshot = makeSnapshot({ epoch: 2, spentByTenant, spentByProvider, reservations: [openReservation] });
        expect(await loadActive(budgets, snapshot)).toBe(true);
        expect(await budgets.listReservations(DAY)).toEqual(['open']);
        expect(await budgets.read(DAY, { tenantId: 'acme', provider: 'claude' })).toEqual({
          deployment: { spentMicroUsd: 42, reservedMicroUsd: 7 },
          tenant: { spentMicroUsd: 30, reservedMicroUsd: 7 },
          provider: { spentMicroUsd: 42, reservedMicroUsd: 7 },
        });
        expect(await budgets.read(DAY, { tenantId: 'nobody' })).toEqual({
          deployment: { spentMicroUsd: 42, reservedMicroUsd: 7 },
          tenant: { spentMicroUsd: 0, reservedMicroUsd: 0 },
        });
      }),
    );

    it(
      'checks a loaded reservation against the limits when its call reserves, and removes it when refused',
      onEmpty(async (budgets) => {
        const limits = limitOf('deployment', 100);
        const [first, second] = ['a', 'b'].map((reservationId) =>
          makeReserve({ reservationId, amountMicroUsd: 60, limits }),
        ) as [ReserveRequest, ReserveRequest];
        await loadActive(budgets, makeSnapshot({ reservations: [first, second] }));
        expect(await budgets.reserve(first)).toMatchObject({ outcome: 'refused', shortfallMicroUsd: 20 });
        expect(await budgets.reserve(second)).toEqual({ outcome: 'admitted' });
        expect(await budgets.listReservations(DAY)).toEqual(['b']);
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 60 } });
      }),
    );

    it(
      'settles a call on the day that admitted it',
      onLoaded(async (budgets) => {
        await loadActive(budgets, makeSnapshot({ day: '2026-11-23' }));
        await budgets.reserve(makeReserve());
        await budgets.settle({ ...makeReserve(), costMicroUsd: 9 });
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 9, reservedMicroUsd: 0 } });
        expect(await budgets.read('2026-11-23', {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 0 } });
      }),
    );

    it(
      'loads tens of thousands of open reservations',
      onEmpty(async (budgets) => {
        const reservations = Array.from({ length: 20_001 }, (_, index) => makeReserve({ reservationId: `r${index}` }));
        expect(await loadActive(budgets, makeSnapshot({ reservations }))).toBe(true);
        expect(await budgets.listReservations(DAY)).toHaveLength(20_001);
        expect(await budgets.read(DAY, {})).toEqual({ deployment: { spentMicroUsd: 0, reservedMicroUsd: 200_010 } });
      }),
    );
  });

  describe('amounts', () => {
    it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
      'rejects %s with an error that names the field',
      (amount) =>
        onLoaded(async (budgets) => {
          await expect(budgets.reserve(makeReserve({ amountMicroUsd: amount }))).rejects.toThrow(
            expect.objectContaining({ name: 'RangeError', message: expect.stringContaining('amountMicroUsd') }),
          );
          await expect(budgets.settle({ ...makeReserve(), costMicroUsd: amount })).rejects.toThrow('costMicroUsd');
          await expect(
            loadActive(budgets, makeSnapshot({ spentByTenant: new Map([['acme', amount]]) })),
          ).rejects.toThrow('spentByTenant');
          await expect(
            loadActive(budgets, makeSnapshot({ reservations: [makeReserve({ amountMicroUsd: amount })] })),
          ).rejects.toThrow('amountMicroUsd');
        })(),
    );

    it(
      'rejects a limit with a fraction',
      onLoaded(async (budgets) => {
        await expect(budgets.reserve(makeReserve({ limits: limitOf('tenant', 1.5) }))).rejects.toThrow('limits.tenant');
      }),
    );
  });
}

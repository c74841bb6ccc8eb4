import fc from 'fast-check';
import type { BudgetLimits, BudgetSnapshot, BudgetStore, ReserveRequest, BudgetUsage } from '../port/budget-store.js';
import { loadActive, makeReserve, makeSnapshot } from './budget-store.contract.js';

export type BudgetStep =
  | { readonly do: 'reserve'; readonly request: ReserveRequest }
  | { readonly do: 'settle'; readonly request: ReserveRequest; readonly costMicroUsd: number }
  | { readonly do: 'cancel'; readonly request: ReserveRequest }
  | { readonly do: 'load'; readonly snapshot: BudgetSnapshot };

const limit = fc.option(fc.integer({ min: -1, max: 300 }));
const request = fc
  .record({
    reservationId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    amountMicroUsd: fc.nat({ max: 120 }),
    epoch: fc.integer({ min: 1, max: 3 }),
    limits: fc.record({ deployment: limit, tenant: limit, provider: limit }),
  })
  // An id belongs to one call: always the same tenant and provider.
  .map((parts) =>
    makeReserve({
      ...parts,
      tenantId: parts.reservationId < 'd' ? 'acme' : 'beta',
      provider: parts.reservationId < 'c' ? 'claude' : 'openai',
    }),
  );
const snapshot = fc
  .record({
    epoch: fc.integer({ min: 1, max: 3 }),
    spent: fc.nat({ max: 50 }),
    reservations: fc.array(request, { maxLength: 3 }),
  })
  .map(({ epoch, spent, reservations }) =>
    makeSnapshot({
      epoch,
      reservations,
      spentByTenant: new Map([['acme', spent]]),
      spentByProvider: new Map([['claude', spent]]),
    }),
  );

/** Steps in any order; reserves are the most frequent, as in production. */
export const budgetSteps: fc.Arbitrary<BudgetStep[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), request }) },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('settle' as const), request, costMicroUsd: fc.nat({ max: 120 }) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), request }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('load' as const), snapshot }) },
    ),
    { maxLength: 40 },
  )
  .map((steps) => [{ do: 'load', snapshot: makeSnapshot() }, ...steps]);

export async function runStep(budgets: BudgetStore, step: BudgetStep): Promise<unknown> {
  if (step.do === 'reserve') return budgets.reserve(step.request);
  if (step.do === 'settle') return budgets.settle({ ...step.request, costMicroUsd: step.costMicroUsd });
  if (step.do === 'cancel') return budgets.cancel(step.request);
  return loadActive(budgets, step.snapshot);
}

interface ModelReservation {
  readonly amount: number;
  readonly tenantId: string;
  readonly provider: string;
  admitted: boolean;
}

/** Reference model of a budget: lists of spent and reserved amounts, summed up for each query. */
export class BudgetModel {
  private epoch = 0;
  private spent: { readonly scopes: readonly string[]; readonly amount: number }[] = [];
  private reservations = new Map<string, ModelReservation>();

  apply(step: BudgetStep): string {
    if (step.do === 'load') return this.load(step.snapshot);
    const { reservationId } = step.request;
    const reservation = this.reservations.get(reservationId);
    if (step.do === 'reserve') return this.reserve(step.request, reservation);
    if (!reservation) return 'nothing reserved';
    this.reservations.delete(reservationId);
    if (step.do === 'settle') this.spent.push({ scopes: scopesOf(reservation), amount: step.costMicroUsd });
    return 'done';
  }

  usage(scope: string): BudgetUsage {
    const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
    return {
      spentMicroUsd: sum(this.spent.filter(({ scopes }) => scopes.includes(scope)).map(({ amount }) => amount)),
      reservedMicroUsd: sum(
        [...this.reservations.values()].filter((h) => scopesOf(h).includes(scope)).map((h) => h.amount),
      ),
    };
  }

  private reserve(requested: ReserveRequest, reservation: ModelReservation | undefined): string {
    if (requested.epoch !== this.epoch) return 'stale';
    if (reservation?.admitted) return 'admitted';
    this.reservations.delete(requested.reservationId);
    const candidate = {
      amount: requested.amountMicroUsd,
      tenantId: requested.tenantId,
      provider: requested.provider,
      admitted: true,
    };
    if (!this.fits(candidate, requested.limits)) return 'refused';
    this.reservations.set(requested.reservationId, candidate);
    return 'admitted';
  }

  private fits(candidate: ModelReservation, limits: BudgetLimits): boolean {
    return [limits.deployment, limits.tenant, limits.provider].every((bound, index) => {
      const { spentMicroUsd, reservedMicroUsd } = this.usage(scopesOf(candidate)[index] ?? '');
      return bound === null || bound <= 0 || spentMicroUsd + reservedMicroUsd + candidate.amount <= bound;
    });
  }

  private load({ epoch, spentByTenant, spentByProvider, reservations }: BudgetSnapshot): string {
    if (epoch <= this.epoch) return 'nothing reserved';
    this.epoch = epoch;
    this.spent = [];
    for (const [name, amount] of spentByTenant) this.spent.push({ scopes: ['deployment', `tenant:${name}`], amount });
    for (const [name, amount] of spentByProvider) this.spent.push({ scopes: [`provider:${name}`], amount });
    this.reservations = new Map(
      reservations.map(({ reservationId, amountMicroUsd: amount, tenantId, provider }) => [
        reservationId,
        { amount, tenantId, provider, admitted: false },
      ]),
    );
    return 'done';
  }
}

function scopesOf({ tenantId, provider }: { tenantId: string; provider: string }): string[] {
  return ['deployment', `tenant:${tenantId}`, `provider:${provider}`];
}

import fc from 'fast-check';
import type { BudgetLimits, BudgetSnapshot, BudgetStore, ReserveRequest, Standing } from '../port/budget-store.js';
import { loadActive, makeReserve, makeSnapshot } from './budget-store.contract.js';

export type BudgetStep =
  | { readonly do: 'reserve'; readonly request: ReserveRequest }
  | { readonly do: 'settle'; readonly request: ReserveRequest; readonly costMicroUsd: number }
  | { readonly do: 'release'; readonly request: ReserveRequest }
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
    holds: fc.array(request, { maxLength: 3 }),
  })
  .map(({ epoch, spent, holds }) =>
    makeSnapshot({
      epoch,
      holds,
      spentByTenant: new Map([['acme', spent]]),
      spentByProvider: new Map([['claude', spent]]),
    }),
  );

/** Any order of any steps; reserves are the most frequent, as they are outside. */
export const budgetSteps: fc.Arbitrary<BudgetStep[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), request }) },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('settle' as const), request, costMicroUsd: fc.nat({ max: 120 }) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), request }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('load' as const), snapshot }) },
    ),
    { maxLength: 40 },
  )
  .map((steps) => [{ do: 'load', snapshot: makeSnapshot() }, ...steps]);

export async function takeStep(budgets: BudgetStore, step: BudgetStep): Promise<unknown> {
  if (step.do === 'reserve') return budgets.reserve(step.request);
  if (step.do === 'settle') return budgets.settle({ ...step.request, costMicroUsd: step.costMicroUsd });
  if (step.do === 'release') return budgets.release(step.request);
  return loadActive(budgets, step.snapshot);
}

interface ModelHold {
  readonly amount: number;
  readonly tenantId: string;
  readonly provider: string;
  admitted: boolean;
}

/** The slowest and plainest budget: lists of what was spent and what is held, added up from nothing at each question. */
export class BudgetModel {
  private epoch = 0;
  private spent: { readonly scopes: readonly string[]; readonly amount: number }[] = [];
  private holds = new Map<string, ModelHold>();

  take(step: BudgetStep): string {
    if (step.do === 'load') return this.load(step.snapshot);
    const { reservationId } = step.request;
    const hold = this.holds.get(reservationId);
    if (step.do === 'reserve') return this.reserve(step.request, hold);
    if (!hold) return 'nothing held';
    this.holds.delete(reservationId);
    if (step.do === 'settle') this.spent.push({ scopes: scopesOf(hold), amount: step.costMicroUsd });
    return 'done';
  }

  standing(scope: string): Standing {
    const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
    return {
      spentMicroUsd: sum(this.spent.filter(({ scopes }) => scopes.includes(scope)).map(({ amount }) => amount)),
      heldMicroUsd: sum([...this.holds.values()].filter((h) => scopesOf(h).includes(scope)).map((h) => h.amount)),
    };
  }

  private reserve(asked: ReserveRequest, hold: ModelHold | undefined): string {
    if (asked.epoch !== this.epoch) return 'stale';
    if (hold?.admitted) return 'admitted';
    this.holds.delete(asked.reservationId);
    const candidate = {
      amount: asked.amountMicroUsd,
      tenantId: asked.tenantId,
      provider: asked.provider,
      admitted: true,
    };
    if (!this.fits(candidate, asked.limits)) return 'refused';
    this.holds.set(asked.reservationId, candidate);
    return 'admitted';
  }

  private fits(candidate: ModelHold, limits: BudgetLimits): boolean {
    return [limits.deployment, limits.tenant, limits.provider].every((bound, index) => {
      const { spentMicroUsd, heldMicroUsd } = this.standing(scopesOf(candidate)[index] ?? '');
      return bound === null || bound <= 0 || spentMicroUsd + heldMicroUsd + candidate.amount <= bound;
    });
  }

  private load({ epoch, spentByTenant, spentByProvider, holds }: BudgetSnapshot): string {
    if (epoch <= this.epoch) return 'nothing held';
    this.epoch = epoch;
    this.spent = [];
    for (const [name, amount] of spentByTenant) this.spent.push({ scopes: ['deployment', `tenant:${name}`], amount });
    for (const [name, amount] of spentByProvider) this.spent.push({ scopes: [`provider:${name}`], amount });
    this.holds = new Map(
      holds.map(({ reservationId, amountMicroUsd: amount, tenantId, provider }) => [
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

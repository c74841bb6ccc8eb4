import { BUDGET_SCOPES } from '../port/budget-store.js';
import type {
  BudgetSnapshot,
  BudgetStore,
  BudgetReservation,
  ReserveOutcome,
  ReserveRequest,
  SettleOutcome,
  SettleRequest,
} from '../port/budget-store.js';
import { assertAmount, assertReserveRequest } from '../rules/assert-requests.js';
import { createBudgetDay, buildBudgetKey, type BudgetDay, isEnforced, refuse } from '../rules/budget-day.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';
import type { ScriptStepName } from './scripts/build-scripts.js';

/** Counted from the load. A day that is still used after that is loaded again. */
const DAY_TTL_SECONDS = 3 * 86_400;

/** For a fleet, on Redis: see the scripts for what is stored. */
export class RedisBudgetStore implements BudgetStore {
  constructor(
    private readonly client: CoordinationClient,
    private readonly keyPrefix: string,
  ) {}

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    assertReserveRequest(request);
    return decodeReserveOutcome(request, await this.client.run(this.toReserveStep(request)));
  }

  async settle(request: SettleRequest): Promise<SettleOutcome> {
    assertAmount('costMicroUsd', request.costMicroUsd);
    return decodeSettleOutcome(request.costMicroUsd, await this.client.run(this.toSettleStep(request)));
  }

  async cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<boolean> {
    return (await this.client.run(this.toSettleStep({ ...reservation, costMicroUsd: null }))) === 1;
  }

  async load(snapshot: BudgetSnapshot): Promise<boolean> {
    const fields = encodeDay(createBudgetDay(snapshot));
    const values = [snapshot.epoch, DAY_TTL_SECONDS, ...fields];
    return (await this.client.run(this.toStep('budgetLoad', snapshot.day, values))) === 1;
  }

  async activate(day: string, epoch: number): Promise<boolean> {
    return (await this.client.run(this.toStep('budgetActivate', day, [epoch]))) === 1;
  }

  async isOfEpoch(day: string, epoch: number): Promise<boolean> {
    return (await this.client.run(this.toStep('budgetIsOfEpoch', day, [epoch]))) === 1;
  }

  async read(day: string, of: { tenantId?: string; provider?: string }): ReturnType<BudgetStore['read']> {
    const { tenantId = '', provider = '' } = of;
    const scopes = BUDGET_SCOPES.filter(
      (scope) => scope === 'deployment' || (scope === 'tenant' ? of.tenantId : of.provider) !== undefined,
    );
    const counters = scopes.map((scope) => buildBudgetKey(scope, { tenantId, provider }));
    const answer = (await this.client.run(this.toStep('budgetRead', day, counters))) as string[] | null;
    if (!answer) return null;
    return Object.fromEntries(
      scopes.map((scope, index) => [
        scope,
        { spentMicroUsd: Number(answer[2 * index]), reservedMicroUsd: Number(answer[2 * index + 1]) },
      ]),
    );
  }

  async listReservations(day: string): Promise<readonly string[] | null> {
    return (await this.client.run(this.toStep('budgetListReservations', day, []))) as string[] | null;
  }

  toReserveStep(request: ReserveRequest): ScriptStep {
    const { day, reservationId, tenantId, provider, amountMicroUsd, epoch, limits } = request;
    const limitsByScope = BUDGET_SCOPES.map((scope) => (isEnforced(limits[scope]) ? String(limits[scope]) : ''));
    const values = [epoch, reservationId, amountMicroUsd, tenantId, provider, ...limitsByScope];
    return this.toStep('budgetReserve', day, values);
  }

  /** Without a cost, the reservation is cancelled. */
  toSettleStep({ day, reservationId, costMicroUsd }: ClosedReservation): ScriptStep {
    if (costMicroUsd === null) return this.toStep('budgetCancel', day, [reservationId]);
    return this.toStep('budgetSettle', day, [reservationId, costMicroUsd]);
  }

  private toStep(name: ScriptStepName, day: string, values: readonly ScriptArgument[]): ScriptStep {
    return { name, keys: [`{${this.keyPrefix}}:budget:${day}`], encode: (runId) => [runId, ...values] };
  }
}

type ClosedReservation = Pick<BudgetReservation, 'reservationId' | 'day'> & { readonly costMicroUsd: number | null };

export function decodeReserveOutcome(request: ReserveRequest, reply: unknown): ReserveOutcome {
  const [outcome, scope, spent, reserved] = reply as [string, number?, string?, string?];
  if (outcome !== 'refused') return { outcome: outcome === 'admitted' ? 'admitted' : 'stale' };
  const refusedScope = BUDGET_SCOPES[Number(scope) - 1] ?? 'deployment';
  const usage = { spentMicroUsd: Number(spent), reservedMicroUsd: Number(reserved) };
  return refuse(request, refusedScope, usage);
}

export function decodeSettleOutcome(costMicroUsd: number, reply: unknown): SettleOutcome {
  if (!reply) return { outcome: 'unknown' };
  const [deployment, tenant, provider] = reply as [number, number, number];
  const toChange = (afterMicroUsd: number) => ({ beforeMicroUsd: afterMicroUsd - costMicroUsd, afterMicroUsd });
  const spent = { deployment: toChange(deployment), tenant: toChange(tenant), provider: toChange(provider) };
  return { outcome: 'settled', spent };
}

function encodeDay(day: BudgetDay): string[] {
  const fields: string[] = [];
  for (const [counter, { spentMicroUsd, reservedMicroUsd }] of day.counters) {
    fields.push(`s:${counter}`, String(spentMicroUsd), `h:${counter}`, String(reservedMicroUsd));
  }
  for (const [id, { amountMicroUsd, tenantId, provider }] of day.reservations) {
    fields.push(`r:${id}`, `l${amountMicroUsd} ${Buffer.byteLength(tenantId)} ${tenantId}${provider}`);
  }
  return fields;
}

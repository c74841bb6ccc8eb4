import { BUDGET_SCOPES } from '../port/budget-store.js';
import type {
  BudgetScope,
  BudgetSnapshot,
  BudgetStore,
  BudgetReservation,
  ReserveOutcome,
  ReserveRequest,
  SettleOutcome,
  SettleRequest,
  BudgetUsage,
} from '../port/budget-store.js';
import { assertReserveRequest, assertSettleRequest } from '../rules/assert-budget-request.js';
import { createBudgetDay, buildBudgetKey, type BudgetDay } from '../rules/budget-day.js';
import type { CoordinationClient } from './coordination-client.js';

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
    const { reservationId, tenantId, provider, amountMicroUsd, epoch, limits } = request;
    const answer = (await this.client.run('budgetReserve', [this.key(request.day)], (runId) => [
      runId,
      epoch,
      reservationId,
      amountMicroUsd,
      tenantId,
      provider,
      ...BUDGET_SCOPES.map((scope) => encodeLimit(limits[scope])),
    ])) as [string, number?, string?, string?];
    if (answer[0] !== 'refused') return { outcome: answer[0] === 'admitted' ? 'admitted' : 'stale' };
    return toRefusal(request, BUDGET_SCOPES[Number(answer[1]) - 1] ?? 'deployment', {
      spentMicroUsd: Number(answer[2]),
      reservedMicroUsd: Number(answer[3]),
    });
  }

  async settle(request: SettleRequest): Promise<SettleOutcome> {
    assertSettleRequest(request);
    const after = (await this.client.run('budgetSettle', [this.key(request.day)], (runId) => [
      runId,
      request.reservationId,
      request.costMicroUsd,
    ])) as [number, number, number] | null;
    if (!after) return { outcome: 'unknown' };
    const change = (afterMicroUsd: number): { beforeMicroUsd: number; afterMicroUsd: number } => ({
      beforeMicroUsd: afterMicroUsd - request.costMicroUsd,
      afterMicroUsd,
    });
    return {
      outcome: 'settled',
      spent: { deployment: change(after[0]), tenant: change(after[1]), provider: change(after[2]) },
    };
  }

  async cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<boolean> {
    const cancelled = await this.client.run('budgetCancel', [this.key(reservation.day)], (runId) => [
      runId,
      reservation.reservationId,
    ]);
    return cancelled === 1;
  }

  async load(snapshot: BudgetSnapshot): Promise<boolean> {
    const fields = encodeDay(createBudgetDay(snapshot));
    const loaded = await this.client.run('budgetLoad', [this.key(snapshot.day)], (runId) => [
      runId,
      snapshot.epoch,
      DAY_TTL_SECONDS,
      ...fields,
    ]);
    return loaded === 1;
  }

  async activate(day: string, epoch: number): Promise<boolean> {
    const active = await this.client.run('budgetActivate', [this.key(day)], (runId) => [runId, epoch]);
    return active === 1;
  }

  async isOfEpoch(day: string, epoch: number): Promise<boolean> {
    return (await this.client.run('budgetIsOfEpoch', [this.key(day)], (runId) => [runId, epoch])) === 1;
  }

  async read(
    day: string,
    of: { tenantId?: string; provider?: string },
  ): Promise<Partial<Record<BudgetScope, BudgetUsage>> | null> {
    const { tenantId = '', provider = '' } = of;
    const scopes = BUDGET_SCOPES.filter(
      (scope) => scope === 'deployment' || (scope === 'tenant' ? of.tenantId : of.provider) !== undefined,
    );
    const answer = (await this.client.run('budgetRead', [this.key(day)], (runId) => [
      runId,
      ...scopes.map((scope) => buildBudgetKey(scope, { tenantId, provider })),
    ])) as string[] | null;
    if (!answer) return null;
    return Object.fromEntries(
      scopes.map((scope, index) => [
        scope,
        { spentMicroUsd: Number(answer[2 * index]), reservedMicroUsd: Number(answer[2 * index + 1]) },
      ]),
    );
  }

  async listReservations(day: string): Promise<readonly string[] | null> {
    return (await this.client.run('budgetListReservations', [this.key(day)], (runId) => [runId])) as string[] | null;
  }

  private key(day: string): string {
    return `{${this.keyPrefix}:budget:${day}}`;
  }
}

function toRefusal(request: ReserveRequest, scope: BudgetScope, usage: BudgetUsage): ReserveOutcome {
  const limitMicroUsd = request.limits[scope] ?? 0;
  const shortfallMicroUsd = usage.spentMicroUsd + usage.reservedMicroUsd + request.amountMicroUsd - limitMicroUsd;
  return { outcome: 'refused', scope, limitMicroUsd, shortfallMicroUsd, ...usage };
}

function encodeLimit(limit: number | null): string {
  return limit === null || limit <= 0 ? '' : String(limit);
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

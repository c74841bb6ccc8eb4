import {
  BUDGET_SCOPES,
  type BudgetReservation,
  type BudgetStore,
  isEnforced,
  type ReserveOutcome,
  type ReserveRequest,
  type SettleOutcome,
  type SettleRequest,
} from '../port/budget-store.js';
import { assertAmount, assertReserveRequest } from '../rules/assert-requests.js';
import { type BudgetDay, buildBudgetKey, createBudgetDay, refuse } from '../rules/budget-day.js';
import type { CoordinationClient, ScriptArgument, ScriptStep } from './coordination-client.js';
import type { ScriptStepName } from './scripts/build-scripts.js';

/** Counted from the load. A day that is still used after that is loaded again. */
const DAY_TTL_SECONDS = 3 * 86_400;

/** For a fleet, on Redis: see the scripts for what is stored. */
export function createRedisBudgetStore(client: CoordinationClient, keyPrefix: string) {
  function toStep<T>(
    name: ScriptStepName,
    day: string,
    values: readonly ScriptArgument[],
    decode: (reply: unknown) => T,
  ): ScriptStep<T> {
    return { name, keys: [`{${keyPrefix}}:budget:${day}`], encode: (runId) => [runId, ...values], decode };
  }
  const steps = {
    reserve(request: ReserveRequest) {
      const { day, reservationId, tenantId, provider, amountMicroUsd, epoch, limits } = request;
      const limitsByScope = BUDGET_SCOPES.map((scope) => (isEnforced(limits[scope]) ? String(limits[scope]) : ''));
      const values = [epoch, reservationId, amountMicroUsd, tenantId, provider, ...limitsByScope];
      return toStep('budgetReserve', day, values, (reply) => decodeReserveOutcome(request, reply));
    },
    settle({ day, reservationId, costMicroUsd }: Omit<SettleRequest, 'tenantId' | 'provider'>) {
      const decode = (reply: unknown) => decodeSettleOutcome(costMicroUsd, reply);
      return toStep('budgetSettle', day, [reservationId, costMicroUsd], decode);
    },
    cancel({ day, reservationId }: Pick<BudgetReservation, 'reservationId' | 'day'>) {
      return toStep('budgetCancel', day, [reservationId], isOne);
    },
  };
  const store: BudgetStore = {
    async reserve(request) {
      assertReserveRequest(request);
      return client.run(steps.reserve(request));
    },
    async settle(request) {
      assertAmount('costMicroUsd', request.costMicroUsd);
      return client.run(steps.settle(request));
    },
    cancel: (reservation) => client.run(steps.cancel(reservation)),
    async load(snapshot) {
      const fields = encodeDay(createBudgetDay(snapshot));
      return client.run(toStep('budgetLoad', snapshot.day, [snapshot.epoch, DAY_TTL_SECONDS, ...fields], isOne));
    },
    activate: (day, epoch) => client.run(toStep('budgetActivate', day, [epoch], isOne)),
    isOfEpoch: (day, epoch) => client.run(toStep('budgetIsOfEpoch', day, [epoch], isOne)),
    async read(day, of) {
      const { tenantId = '', provider = '' } = of;
      const scopes = BUDGET_SCOPES.filter(
        (scope) => scope === 'deployment' || (scope === 'tenant' ? of.tenantId : of.provider) !== undefined,
      );
      const counters = scopes.map((scope) => buildBudgetKey(scope, { tenantId, provider }));
      const answer = await client.run(toStep('budgetRead', day, counters, (reply) => reply as string[] | null));
      if (!answer) return null;
      const toUsage = (index: number) => ({
        spentMicroUsd: Number(answer[2 * index]),
        reservedMicroUsd: Number(answer[2 * index + 1]),
      });
      return Object.fromEntries(scopes.map((scope, index) => [scope, toUsage(index)]));
    },
    listReservations: (day) =>
      client.run(toStep('budgetListReservations', day, [], (reply) => reply as readonly string[] | null)),
  };
  return { ...store, steps };
}

function isOne(reply: unknown): boolean {
  return reply === 1;
}

function decodeReserveOutcome(request: ReserveRequest, reply: unknown): ReserveOutcome {
  const [outcome, scope, spent, reserved] = reply as [string, number?, string?, string?];
  if (outcome !== 'refused') return { outcome: outcome === 'admitted' ? 'admitted' : 'stale' };
  const usage = { spentMicroUsd: Number(spent), reservedMicroUsd: Number(reserved) };
  return refuse(request, BUDGET_SCOPES[Number(scope) - 1] ?? 'deployment', usage);
}

function decodeSettleOutcome(costMicroUsd: number, reply: unknown): SettleOutcome {
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

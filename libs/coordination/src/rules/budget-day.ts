import {
  BUDGET_SCOPES,
  type BudgetReservation,
  type BudgetScope,
  type BudgetSnapshot,
  type BudgetUsage,
  isEnforced,
  type ReserveOutcome,
  type ReserveRequest,
  type SettleOutcome,
  type SettleRequest,
} from '../port/budget-store.js';
import { assertAmount } from './assert-requests.js';

/** A repeated reserve is admitted unchecked only if `admitted`: a loaded one may never have been. */
interface DayReservation {
  readonly tenantId: string;
  readonly provider: string;
  readonly amountMicroUsd: number;
  readonly admitted: boolean;
}

interface BudgetCounter {
  spentMicroUsd: number;
  reservedMicroUsd: number;
}

/** Counters of one UTC day. The functions below are its only writers and do no I/O. */
export interface BudgetDay {
  readonly epoch: number;
  /** False until it is known that the ledger has no newer epoch. */
  active: boolean;
  readonly counters: Map<string, BudgetCounter>;
  readonly reservations: Map<string, DayReservation>;
}

/** Key of the counters of a scope inside the day: `deployment`, `tenant:<id>` or `provider:<id>`. */
export function buildBudgetKey(
  scope: BudgetScope,
  of: { readonly tenantId: string; readonly provider: string },
): string {
  if (scope === 'deployment') return scope;
  return `${scope}:${scope === 'tenant' ? of.tenantId : of.provider}`;
}

/** @throws RangeError when an amount is not a whole number, or a reservation is of another day. */
export function createBudgetDay(snapshot: BudgetSnapshot): BudgetDay {
  assertAmount('epoch', snapshot.epoch);
  const day: BudgetDay = { epoch: snapshot.epoch, active: false, counters: new Map(), reservations: new Map() };
  for (const [tenantId, spent] of snapshot.spentByTenant) {
    assertAmount('spentByTenant', spent);
    findCounter(day, `tenant:${tenantId}`).spentMicroUsd = spent;
    findCounter(day, 'deployment').spentMicroUsd += spent;
  }
  for (const [provider, spent] of snapshot.spentByProvider) {
    assertAmount('spentByProvider', spent);
    findCounter(day, `provider:${provider}`).spentMicroUsd = spent;
  }
  for (const reservation of snapshot.reservations) {
    assertAmount('amountMicroUsd', reservation.amountMicroUsd);
    if (reservation.day !== snapshot.day)
      throw new RangeError('reservations: the snapshot contains a reservation of another day.');
    removeReservation(day, reservation.reservationId);
    addReservation(day, reservation, false);
  }
  return day;
}

/** Refuses for the first scope that is exceeded (docs/reference/budgets.md#admission-check). */
export function reserveInDay(day: BudgetDay, request: ReserveRequest): ReserveOutcome {
  if (!day.active || day.epoch !== request.epoch) return { outcome: 'stale' };
  if (day.reservations.get(request.reservationId)?.admitted) return { outcome: 'admitted' };
  // Whether the row was admitted before the rebuild is unknown, so it is checked like a new one.
  removeReservation(day, request.reservationId);
  for (const scope of BUDGET_SCOPES) {
    const limitMicroUsd = request.limits[scope];
    if (!isEnforced(limitMicroUsd)) continue;
    const refusal = refuse(request, scope, getUsage(day, buildBudgetKey(scope, request)));
    if (refusal.shortfallMicroUsd > 0) return refusal;
  }
  addReservation(day, request, true);
  return { outcome: 'admitted' };
}

/** The refusal by a scope with this usage; a shortfall of 0 or less means that the call fits. */
export function refuse({ limits, amountMicroUsd }: ReserveRequest, scope: BudgetScope, usage: BudgetUsage) {
  const limitMicroUsd = limits[scope] ?? 0;
  const shortfallMicroUsd = usage.spentMicroUsd + usage.reservedMicroUsd + amountMicroUsd - limitMicroUsd;
  return { outcome: 'refused' as const, scope, limitMicroUsd, shortfallMicroUsd, ...usage };
}

export function settleInDay(day: BudgetDay, request: SettleRequest): SettleOutcome {
  const reservation = removeReservation(day, request.reservationId);
  if (!reservation) return { outcome: 'unknown' };
  const change = (scope: BudgetScope): { beforeMicroUsd: number; afterMicroUsd: number } => {
    const counter = findCounter(day, buildBudgetKey(scope, reservation));
    const beforeMicroUsd = counter.spentMicroUsd;
    counter.spentMicroUsd += request.costMicroUsd;
    return { beforeMicroUsd, afterMicroUsd: counter.spentMicroUsd };
  };
  return {
    outcome: 'settled',
    spent: { deployment: change('deployment'), tenant: change('tenant'), provider: change('provider') },
  };
}

export function getUsage(day: BudgetDay, counter: string): BudgetUsage {
  return { spentMicroUsd: 0, reservedMicroUsd: 0, ...day.counters.get(counter) };
}

function findCounter(day: BudgetDay, name: string): BudgetCounter {
  const counter = day.counters.get(name) ?? { spentMicroUsd: 0, reservedMicroUsd: 0 };
  day.counters.set(name, counter);
  return counter;
}

function addReservation(
  day: BudgetDay,
  reservation: BudgetReservation & { readonly amountMicroUsd: number },
  admitted: boolean,
): void {
  const { reservationId, tenantId, provider, amountMicroUsd } = reservation;
  day.reservations.set(reservationId, { tenantId, provider, amountMicroUsd, admitted });
  for (const scope of BUDGET_SCOPES)
    findCounter(day, buildBudgetKey(scope, reservation)).reservedMicroUsd += amountMicroUsd;
}

/** Returns the removed reservation; undefined when none was open. */
export function removeReservation(day: BudgetDay, reservationId: string): DayReservation | undefined {
  const reservation = day.reservations.get(reservationId);
  if (!reservation) return undefined;
  day.reservations.delete(reservationId);
  for (const scope of BUDGET_SCOPES)
    findCounter(day, buildBudgetKey(scope, reservation)).reservedMicroUsd -= reservation.amountMicroUsd;
  return reservation;
}

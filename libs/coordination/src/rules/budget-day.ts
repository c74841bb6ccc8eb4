import { BUDGET_SCOPES } from '../port/budget-store.js';
import type {
  BudgetScope,
  BudgetSnapshot,
  Hold,
  ReserveOutcome,
  ReserveRequest,
  SettleOutcome,
  SettleRequest,
  Standing,
} from '../port/budget-store.js';
import { assertAmount } from './assert-amount.js';

/** A hold that came with a snapshot may never have been admitted: only `admitted` ones answer a repeated reserve. */
interface DayHold {
  readonly tenantId: string;
  readonly provider: string;
  readonly amountMicroUsd: number;
  readonly admitted: boolean;
}

interface Purse {
  spentMicroUsd: number;
  heldMicroUsd: number;
}

/** Counters of one UTC day. The functions below are its only writers and do no I/O. */
export interface BudgetDay {
  readonly epoch: number;
  /** False until it is known that the ledger has no newer epoch. */
  active: boolean;
  readonly purses: Map<string, Purse>;
  readonly holds: Map<string, DayHold>;
}

/** Name of a scope's counters inside the day: `deployment`, `tenant:<id>` or `provider:<id>`. */
export function namePurse(scope: BudgetScope, of: { readonly tenantId: string; readonly provider: string }): string {
  if (scope === 'deployment') return scope;
  return `${scope}:${scope === 'tenant' ? of.tenantId : of.provider}`;
}

/** @throws RangeError when an amount is not a whole number, or a hold is of another day. */
export function createBudgetDay(snapshot: BudgetSnapshot): BudgetDay {
  assertAmount('epoch', snapshot.epoch);
  const day: BudgetDay = { epoch: snapshot.epoch, active: false, purses: new Map(), holds: new Map() };
  for (const [tenantId, spent] of snapshot.spentByTenant) {
    assertAmount('spentByTenant', spent);
    findPurse(day, `tenant:${tenantId}`).spentMicroUsd = spent;
    findPurse(day, 'deployment').spentMicroUsd += spent;
  }
  for (const [provider, spent] of snapshot.spentByProvider) {
    assertAmount('spentByProvider', spent);
    findPurse(day, `provider:${provider}`).spentMicroUsd = spent;
  }
  for (const hold of snapshot.holds) {
    assertAmount('amountMicroUsd', hold.amountMicroUsd);
    if (hold.day !== snapshot.day) throw new RangeError('A hold of another day is in the snapshot.');
    dropHold(day, hold.reservationId);
    addHold(day, hold, false);
  }
  return day;
}

/** Decision 4: refuses when spent + held + amount > limit, for the first scope in order. */
export function reserveInDay(day: BudgetDay, request: ReserveRequest): ReserveOutcome {
  if (!day.active || day.epoch !== request.epoch) return { outcome: 'stale' };
  if (day.holds.get(request.reservationId)?.admitted) return { outcome: 'admitted' };
  // Whether the ledger's row was admitted before the rebuild is unknown, so it is judged like any other.
  dropHold(day, request.reservationId);
  for (const scope of BUDGET_SCOPES) {
    const limitMicroUsd = request.limits[scope];
    if (limitMicroUsd === null || limitMicroUsd <= 0) continue;
    const standing = readStanding(day, namePurse(scope, request));
    const shortfallMicroUsd = standing.spentMicroUsd + standing.heldMicroUsd + request.amountMicroUsd - limitMicroUsd;
    if (shortfallMicroUsd > 0) return { outcome: 'refused', scope, limitMicroUsd, shortfallMicroUsd, ...standing };
  }
  addHold(day, request, true);
  return { outcome: 'admitted' };
}

export function settleInDay(day: BudgetDay, request: SettleRequest): SettleOutcome {
  const hold = dropHold(day, request.reservationId);
  if (!hold) return { outcome: 'unknown' };
  const change = (scope: BudgetScope): { beforeMicroUsd: number; afterMicroUsd: number } => {
    const purse = findPurse(day, namePurse(scope, hold));
    const beforeMicroUsd = purse.spentMicroUsd;
    purse.spentMicroUsd += request.costMicroUsd;
    return { beforeMicroUsd, afterMicroUsd: purse.spentMicroUsd };
  };
  return {
    outcome: 'settled',
    spent: { deployment: change('deployment'), tenant: change('tenant'), provider: change('provider') },
  };
}

export function releaseInDay(day: BudgetDay, reservationId: string): boolean {
  return dropHold(day, reservationId) !== undefined;
}

export function readStanding(day: BudgetDay, purse: string): Standing {
  return { spentMicroUsd: 0, heldMicroUsd: 0, ...day.purses.get(purse) };
}

function findPurse(day: BudgetDay, name: string): Purse {
  const purse = day.purses.get(name) ?? { spentMicroUsd: 0, heldMicroUsd: 0 };
  day.purses.set(name, purse);
  return purse;
}

function addHold(day: BudgetDay, hold: Hold & { readonly amountMicroUsd: number }, admitted: boolean): void {
  const { reservationId, tenantId, provider, amountMicroUsd } = hold;
  day.holds.set(reservationId, { tenantId, provider, amountMicroUsd, admitted });
  for (const scope of BUDGET_SCOPES) findPurse(day, namePurse(scope, hold)).heldMicroUsd += amountMicroUsd;
}

function dropHold(day: BudgetDay, reservationId: string): DayHold | undefined {
  const hold = day.holds.get(reservationId);
  if (!hold) return undefined;
  day.holds.delete(reservationId);
  for (const scope of BUDGET_SCOPES) findPurse(day, namePurse(scope, hold)).heldMicroUsd -= hold.amountMicroUsd;
  return hold;
}

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
import {
  createBudgetDay,
  buildBudgetKey,
  getUsage,
  cancelInDay,
  reserveInDay,
  settleInDay,
  type BudgetDay,
} from '../rules/budget-day.js';

/** Calls settle on the budget day that admitted them, at most minutes later, so a week is more than enough. */
const RETAINED_DAYS = 7;

/**
 * For one process. A new process has no day loaded, so `reserve` returns `stale` until a snapshot of the ledger is
 * loaded.
 */
export class InProcessBudgetStore implements BudgetStore {
  private readonly days = new Map<string, BudgetDay>();

  async reserve(request: ReserveRequest): Promise<ReserveOutcome> {
    assertReserveRequest(request);
    const day = this.days.get(request.day);
    return day ? reserveInDay(day, request) : { outcome: 'stale' };
  }

  async settle(request: SettleRequest): Promise<SettleOutcome> {
    assertSettleRequest(request);
    const day = this.days.get(request.day);
    return day ? settleInDay(day, request) : { outcome: 'unknown' };
  }

  async cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<boolean> {
    const day = this.days.get(reservation.day);
    return day !== undefined && cancelInDay(day, reservation.reservationId);
  }

  async load(snapshot: BudgetSnapshot): Promise<boolean> {
    const loaded = createBudgetDay(snapshot);
    const known = this.days.get(snapshot.day);
    if (known && known.epoch >= loaded.epoch) return false;
    this.days.delete(snapshot.day);
    this.days.set(snapshot.day, loaded);
    for (const day of [...this.days.keys()].slice(0, -RETAINED_DAYS)) this.days.delete(day);
    return true;
  }

  async activate(dayName: string, epoch: number): Promise<boolean> {
    const day = this.days.get(dayName);
    if (day?.epoch !== epoch) return false;
    day.active = true;
    return true;
  }

  async isOfEpoch(dayName: string, epoch: number): Promise<boolean> {
    const day = this.days.get(dayName);
    return day !== undefined && day.active && day.epoch === epoch;
  }

  async read(
    dayName: string,
    of: { tenantId?: string; provider?: string },
  ): Promise<Partial<Record<BudgetScope, BudgetUsage>> | null> {
    const day = this.days.get(dayName);
    if (!day?.active) return null;
    const { tenantId, provider } = of;
    const usage = (scope: BudgetScope): BudgetUsage =>
      getUsage(day, buildBudgetKey(scope, { tenantId: tenantId ?? '', provider: provider ?? '' }));
    return {
      deployment: usage('deployment'),
      ...(tenantId !== undefined && { tenant: usage('tenant') }),
      ...(provider !== undefined && { provider: usage('provider') }),
    };
  }

  async listReservations(dayName: string): Promise<readonly string[] | null> {
    const day = this.days.get(dayName);
    return day?.active ? [...day.reservations.keys()] : null;
  }
}

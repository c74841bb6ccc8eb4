import type {
  BudgetScope,
  BudgetSnapshot,
  BudgetStore,
  Hold,
  ReserveOutcome,
  ReserveRequest,
  SettleOutcome,
  SettleRequest,
  Standing,
} from '../port/budget-store.js';
import { assertReserveRequest, assertSettleRequest } from '../rules/assert-budget-request.js';
import {
  createBudgetDay,
  namePurse,
  readStanding,
  releaseInDay,
  reserveInDay,
  settleInDay,
  type BudgetDay,
} from '../rules/budget-day.js';

/** Calls settle in the day that admitted them, minutes later at most: a week of days is plenty. */
const DAYS_KEPT = 7;

/** For one process. A new process knows no day, so it answers `stale` until the ledger is loaded. */
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

  async release(hold: Pick<Hold, 'reservationId' | 'day'>): Promise<boolean> {
    const day = this.days.get(hold.day);
    return day !== undefined && releaseInDay(day, hold.reservationId);
  }

  async load(snapshot: BudgetSnapshot): Promise<boolean> {
    const loaded = createBudgetDay(snapshot);
    const known = this.days.get(snapshot.day);
    if (known && known.epoch >= loaded.epoch) return false;
    this.days.delete(snapshot.day);
    this.days.set(snapshot.day, loaded);
    for (const day of [...this.days.keys()].slice(0, -DAYS_KEPT)) this.days.delete(day);
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
  ): Promise<Partial<Record<BudgetScope, Standing>> | null> {
    const day = this.days.get(dayName);
    if (!day?.active) return null;
    const { tenantId, provider } = of;
    const standing = (scope: BudgetScope): Standing =>
      readStanding(day, namePurse(scope, { tenantId: tenantId ?? '', provider: provider ?? '' }));
    return {
      deployment: standing('deployment'),
      ...(tenantId !== undefined && { tenant: standing('tenant') }),
      ...(provider !== undefined && { provider: standing('provider') }),
    };
  }

  async listHolds(dayName: string): Promise<readonly string[] | null> {
    const day = this.days.get(dayName);
    return day?.active ? [...day.holds.keys()] : null;
  }
}

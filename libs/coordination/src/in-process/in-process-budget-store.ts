import type { BudgetScope, BudgetStore, BudgetUsage } from '../port/budget-store.js';
import { assertAmount, assertReserveRequest } from '../rules/assert-requests.js';
import {
  type BudgetDay,
  buildBudgetKey,
  createBudgetDay,
  getUsage,
  removeReservation,
  reserveInDay,
  settleInDay,
} from '../rules/budget-day.js';

/** Calls settle on the budget day that admitted them, at most minutes later, so a week is more than enough. */
const RETAINED_DAYS = 7;

/** For one process. `reserve` returns `stale` until a snapshot of the ledger is loaded. */
export function createBudgetStore(): BudgetStore {
  const days = new Map<string, BudgetDay>();
  return {
    async reserve(request) {
      assertReserveRequest(request);
      const day = days.get(request.day);
      return day ? reserveInDay(day, request) : { outcome: 'stale' };
    },
    async settle(request) {
      assertAmount('costMicroUsd', request.costMicroUsd);
      const day = days.get(request.day);
      return day ? settleInDay(day, request) : { outcome: 'unknown' };
    },
    async cancel(reservation) {
      const day = days.get(reservation.day);
      return day !== undefined && removeReservation(day, reservation.reservationId) !== undefined;
    },
    async load(snapshot) {
      const loaded = createBudgetDay(snapshot);
      const known = days.get(snapshot.day);
      if (known && known.epoch >= loaded.epoch) return false;
      days.delete(snapshot.day);
      days.set(snapshot.day, loaded);
      for (const day of [...days.keys()].slice(0, -RETAINED_DAYS)) days.delete(day);
      return true;
    },
    async activate(dayName, epoch) {
      const day = days.get(dayName);
      if (day?.epoch !== epoch) return false;
      day.active = true;
      return true;
    },
    async isOfEpoch(dayName, epoch) {
      const day = days.get(dayName);
      return day !== undefined && day.active && day.epoch === epoch;
    },
    async read(dayName, { tenantId, provider }) {
      const day = days.get(dayName);
      if (!day?.active) return null;
      const usage = (scope: BudgetScope): BudgetUsage =>
        getUsage(day, buildBudgetKey(scope, { tenantId: tenantId ?? '', provider: provider ?? '' }));
      return {
        deployment: usage('deployment'),
        ...(tenantId !== undefined && { tenant: usage('tenant') }),
        ...(provider !== undefined && { provider: usage('provider') }),
      };
    },
    async listReservations(dayName) {
      const day = days.get(dayName);
      return day?.active ? [...day.reservations.keys()] : null;
    },
  };
}

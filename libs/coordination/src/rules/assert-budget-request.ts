import { BUDGET_SCOPES } from '../port/budget-store.js';
import type { ReserveRequest, SettleRequest } from '../port/budget-store.js';
import { assertAmount } from './assert-amount.js';

/** @throws RangeError naming the field that is not a whole number. */
export function assertReserveRequest(request: ReserveRequest): void {
  assertAmount('amountMicroUsd', request.amountMicroUsd);
  assertAmount('epoch', request.epoch);
  for (const scope of BUDGET_SCOPES) {
    const limit = request.limits[scope];
    if (limit !== null && limit > 0) assertAmount(`limits.${scope}`, limit);
    if (Number.isNaN(limit)) throw new RangeError(`limits.${scope} must be a whole number or null.`);
  }
}

/** @throws RangeError naming the field that is not a whole number. */
export function assertSettleRequest(request: SettleRequest): void {
  assertAmount('costMicroUsd', request.costMicroUsd);
}

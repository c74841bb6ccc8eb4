import type { AdmitRequest, CloseRequest } from '../port/admission.js';
import { BUDGET_SCOPES, isEnforced, type ReserveRequest } from '../port/budget-store.js';
import type { RateLimits } from '../port/rate-limiter.js';

// Each function throws a RangeError that names the field which is invalid, before anything is reserved or closed.

/** Whole numbers from 0 to 2^53 − 1: money and tokens have no fractions. */
export function assertAmount(field: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`${field} must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${value}.`);
}

export function assertReserveRequest({ amountMicroUsd, epoch, limits }: ReserveRequest): void {
  assertAmount('amountMicroUsd', amountMicroUsd);
  assertAmount('epoch', epoch);
  for (const scope of BUDGET_SCOPES) {
    const limit = limits[scope];
    if (isEnforced(limit)) assertAmount(`limits.${scope}`, limit);
    if (Number.isNaN(limit)) throw new RangeError(`limits.${scope} must be a whole number or null.`);
  }
}

export function assertRateRequest({ tokens, limits }: { readonly tokens: number; readonly limits: RateLimits }): void {
  assertAmount('tokens', tokens);
  for (const field of ['requestsPerMinute', 'tokensPerMinute'] as const) {
    const limit = limits[field];
    if (limit === null) continue;
    assertAmount(field, limit);
    if (limit === 0) throw new RangeError(`${field} must be above 0, or null for no limit.`);
  }
}

export function assertAdmitRequest({ rate, budget }: AdmitRequest): void {
  assertRateRequest(rate);
  if (budget) assertReserveRequest(budget);
}

export function assertCloseRequest({ rate, budget }: CloseRequest): void {
  if (rate && rate.tokens !== null) assertAmount('tokens', rate.tokens);
  if (budget && budget.costMicroUsd !== null) assertAmount('costMicroUsd', budget.costMicroUsd);
}

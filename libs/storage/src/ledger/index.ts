export { CALL_OUTCOMES, type CallOutcome } from './call-outcomes.js';
export { countCalls } from './count-calls.js';
export { loadPastCalls, type PastCall } from './load-past-calls.js';
export { cancelReservation, openReservation, readBudgetEpoch, type NewReservation } from './open-reservation.js';
export { readUsage, type UsageRow } from './read-usage.js';
export { readUsageTotals, type UsageTotals } from './read-usage-totals.js';
export {
  expireReservations,
  findOverdueReservations,
  findClosedReservations,
  raiseBudgetEpoch,
  type ExpiredReservation,
  type ClosedReservation,
  type LedgerSnapshot,
  type OpenReservation,
  type OverdueReservation,
} from './reconcile.js';
export { settleReservation, type CallSettlement } from './settle-reservation.js';

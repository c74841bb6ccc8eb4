export { CALL_OUTCOMES, type CallOutcome } from './call-outcomes.js';
export { countCalls, readUsage, readUsageTotals, type UsageRow, type UsageTotals } from './read-usage.js';
export { loadPastCalls, type PastCall } from './load-past-calls.js';
export { cancelReservation, type NewReservation, openReservation, readBudgetEpoch } from './open-reservation.js';
export {
  type ClosedReservation,
  type ExpiredReservation,
  expireReservations,
  findClosedReservations,
  findOverdueReservations,
  type LedgerSnapshot,
  type OpenReservation,
  type OverdueReservation,
  raiseBudgetEpoch,
} from './reconcile.js';
export { type CallSettlement, settleReservation } from './settle-reservation.js';

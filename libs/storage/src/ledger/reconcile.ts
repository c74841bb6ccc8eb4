import type { Database } from '../database/database.js';
import type { Nullable } from '../database/transaction.js';
import type { ReservationEntity, UsageEntity } from '../entities/ledger.entity.js';

/** An open budget reservation, in the shape that coordination's budget store uses. */
export interface OpenReservation {
  readonly reservationId: string;
  /** UTC day that is charged, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly tenantId: string;
  readonly provider: string;
  readonly amountMicroUsd: number;
}

/** A UTC day according to the ledger: settled spend in micro-USD, and open reservations. */
export interface LedgerSnapshot {
  readonly day: string;
  readonly epoch: number;
  readonly spentByTenant: ReadonlyMap<string, number>;
  readonly spentByProvider: ReadonlyMap<string, number>;
  readonly reservations: readonly OpenReservation[];
}

type ReservationRow = Pick<ReservationEntity, 'day' | 'tenant_id' | 'provider'> & {
  reservation_id: ReservationEntity['id'];
  /** A number in JSON. */
  amount_micro_usd: string | number;
};

/**
 * Raises the day's epoch and returns everything that was admitted before it. Waits for transactions that are opening a
 * reservation; those that open one later get the new epoch.
 */
export async function raiseBudgetEpoch(database: Database, day: string): Promise<LedgerSnapshot> {
  const [row] = await database.callAcrossTenants<{
    epoch: number;
    tenants: Record<string, number>;
    providers: Record<string, number>;
    holds: ReservationRow[];
  }>('raise_budget_epoch', [day]);
  return {
    day,
    epoch: row!.epoch,
    spentByTenant: new Map(Object.entries(row!.tenants)),
    spentByProvider: new Map(Object.entries(row!.providers)),
    reservations: row!.holds.map(toOpenReservation),
  };
}

/** A reservation that its worker should have settled already. */
export type OverdueReservation = Pick<OpenReservation, 'reservationId' | 'day'>;

/** Reservations that have been open for too long, oldest first. */
export async function findOverdueReservations(
  database: Database,
  { now, limit }: { now: number; limit: number },
): Promise<OverdueReservation[]> {
  const rows = await database.callAcrossTenants<Pick<ReservationRow, 'reservation_id' | 'day'>>(
    'overdue_reservations',
    [new Date(now), limit],
  );
  return rows.map((row) => ({ reservationId: row.reservation_id, day: row.day }));
}

export type ExpiredReservation = OpenReservation & {
  /** False when the call was not sent: the reservation is deleted without a charge. */
  readonly charged: boolean;
};

/**
 * Closes overdue reservations: charged in full, since the provider charged for the call, except those whose call is
 * known not to have been sent. Skips those that are being settled right now. Concurrent reconcilers share the work.
 */
export async function expireReservations(
  database: Database,
  { now, overdue, unsent }: { now: number; overdue: readonly string[]; unsent: readonly string[] },
): Promise<ExpiredReservation[]> {
  if (overdue.length === 0) return [];
  const rows = await database.callAcrossTenants<ReservationRow & { charged: boolean }>('expire_reservations', [
    new Date(now),
    overdue,
    unsent,
  ]);
  return rows.map((row) => ({ ...toOpenReservation(row), charged: row.charged }));
}

/** Outcome of a closed reservation: settled at a cost, or (all null) cancelled or never committed. */
export type ClosedReservation =
  | {
      readonly reservationId: string;
      readonly tenantId: string;
      readonly provider: string;
      readonly costMicroUsd: number;
    }
  | { readonly reservationId: string; readonly tenantId: null; readonly provider: null; readonly costMicroUsd: null };

/** Compares reservations of a day with the ledger. Returns only those that are no longer open there. */
export async function findClosedReservations(
  database: Database,
  day: string,
  ids: readonly string[],
): Promise<ClosedReservation[]> {
  if (ids.length === 0) return [];
  const rows = await database.callAcrossTenants<
    Pick<ReservationRow, 'reservation_id'> & Nullable<Pick<UsageEntity, 'tenant_id' | 'provider' | 'cost_micro_usd'>>
  >('judge_holds', [day, ids]);
  return rows.map((row) =>
    row.tenant_id === null
      ? { reservationId: row.reservation_id, tenantId: null, provider: null, costMicroUsd: null }
      : {
          reservationId: row.reservation_id,
          tenantId: row.tenant_id,
          provider: row.provider!,
          costMicroUsd: Number(row.cost_micro_usd),
        },
  );
}

function toOpenReservation(row: ReservationRow): OpenReservation {
  return {
    reservationId: row.reservation_id,
    day: row.day,
    tenantId: row.tenant_id,
    provider: row.provider,
    amountMicroUsd: Number(row.amount_micro_usd),
  };
}

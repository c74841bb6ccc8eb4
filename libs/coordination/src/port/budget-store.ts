/** A call is admitted only when it fits into every enforced limit (docs/reference/budgets.md#budget-scopes). */
export const BUDGET_SCOPES = ['deployment', 'tenant', 'provider'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** Micro-USD of a UTC day; null, 0 or less: none (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget). */
export type BudgetLimits = Readonly<Record<BudgetScope, number | null>>;

export function isEnforced(limit: number | null): limit is number {
  return limit !== null && limit > 0;
}

/** The budgets that one call is charged to. `day` (`YYYY-MM-DD`, UTC) admitted the call and never changes. */
export interface BudgetReservation {
  readonly reservationId: string;
  readonly day: string;
  readonly tenantId: string;
  readonly provider: string;
}

export interface ReserveRequest extends BudgetReservation {
  /** Upper bound of the cost of the call: a whole number of micro-USD. */
  readonly amountMicroUsd: number;
  readonly limits: BudgetLimits;
  /** Epoch of the day, as the ledger returned it when it opened the row of this reservation. */
  readonly epoch: number;
}

/** Settled spend and open reservations of one scope, in micro-USD. */
export interface BudgetUsage {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

export type UsageByScope = Partial<Record<BudgetScope, BudgetUsage>>;

/**
 * `stale`: the day is not loaded, or loaded with another epoch; rebuild it from the ledger and reserve again.
 * `refused`: the first scope whose limit the call would exceed, in the order deployment, tenant, provider.
 */
export type ReserveOutcome =
  | { readonly outcome: 'admitted' }
  | ({
      readonly outcome: 'refused';
      readonly scope: BudgetScope;
      readonly limitMicroUsd: number;
      /** Amount above the limit: spent + reserved + amount − limit. */
      readonly shortfallMicroUsd: number;
    } & BudgetUsage)
  | { readonly outcome: 'stale' };

export interface SettleRequest extends BudgetReservation {
  /** May be more than was reserved: it has been spent, so all of it is counted. */
  readonly costMicroUsd: number;
}

/** Spend before and after the settlement by scope, so that exactly one caller sees that a threshold was crossed. */
export type SettleOutcome =
  | {
      readonly outcome: 'settled';
      readonly spent: Readonly<
        Record<BudgetScope, { readonly beforeMicroUsd: number; readonly afterMicroUsd: number }>
      >;
    }
  /** Nothing changed: the reservation was settled or cancelled before, or the day is not loaded. */
  | { readonly outcome: 'unknown' };

/** One day of the ledger. */
export interface BudgetSnapshot {
  readonly day: string;
  readonly epoch: number;
  /** Settled spend in micro-USD; the deployment's is the sum over all tenants. */
  readonly spentByTenant: ReadonlyMap<string, number>;
  readonly spentByProvider: ReadonlyMap<string, number>;
  readonly reservations: readonly (BudgetReservation & { readonly amountMicroUsd: number })[];
}

/**
 * The budget counters of the fleet, a cache of the ledger in PostgreSQL: when counters are lost or may be outdated, the
 * store returns `stale` and admits nothing. Every method is one atomic step; reserve, settle and cancel are idempotent
 * for a reservation. Closed reservations are not remembered: an id belongs to one call and is never used again. An
 * amount that is not a whole number throws a RangeError that names the field.
 *
 * A reservation loaded from a snapshot may never have been admitted, so it is checked against the limits when its own
 * call reserves; if it is refused, it is removed.
 */
export interface BudgetStore {
  /** See docs/reference/budgets.md#admission-check. */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  settle(request: SettleRequest): Promise<SettleOutcome>;
  /** Removes the reservation of a call that was never sent. False when no reservation was open. */
  cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<boolean>;
  /** The day stays `stale` until it is activated. False when the store has this epoch or a newer one. */
  load(snapshot: BudgetSnapshot): Promise<boolean>;
  /**
   * Starts admitting, if the snapshot loaded last has this epoch. Call it only after checking, after the load, that the
   * ledger still has this epoch: a late snapshot, arriving when a newer one was loaded and lost again, would miss what
   * the newer one admitted.
   */
  activate(day: string, epoch: number): Promise<boolean>;
  /** Whether the day is active with this epoch: otherwise `reserve` returns `stale` for its rows. */
  isOfEpoch(day: string, epoch: number): Promise<boolean>;
  /** Usage of the day by scope, or null when the day is `stale`. */
  read(day: string, of: { tenantId?: string; provider?: string }): Promise<UsageByScope | null>;
  /**
   * Ids of the open reservations of the day, to compare with the ledger; null when the day is `stale`. A ledger row
   * that was open before this call and is not listed was not admitted.
   */
  listReservations(day: string): Promise<readonly string[] | null>;
}

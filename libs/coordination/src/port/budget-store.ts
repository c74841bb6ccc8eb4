/**
 * Which counter a limit belongs to. A call is admitted only when every one that applies to it has room
 * (docs/reference/budgets.md#budget-scopes): the whole deployment's, the tenant's and the provider's.
 */
export const BUDGET_SCOPES = ['deployment', 'tenant', 'provider'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/**
 * Micro-USD of one UTC day for each scope. Null, zero or less: not enforced
 * (docs/reference/budgets.md#a-limit-of-zero-disables-a-budget).
 */
export type BudgetLimits = Readonly<Record<BudgetScope, number | null>>;

/** Where the money of one call comes from. `day` is the UTC day that admitted it, as `YYYY-MM-DD`; it stays that day. */
export interface BudgetReservation {
  readonly reservationId: string;
  readonly day: string;
  readonly tenantId: string;
  readonly provider: string;
}

export interface ReserveRequest extends BudgetReservation {
  /** Upper bound of what the call can cost: a whole number of micro-USD. */
  readonly amountMicroUsd: number;
  readonly limits: BudgetLimits;
  /** Epoch of the day as the ledger gave it with the reservation's row. */
  readonly epoch: number;
}

/** Settled spend and open reservations of one scope, in micro-USD. */
export interface BudgetUsage {
  readonly spentMicroUsd: number;
  readonly reservedMicroUsd: number;
}

/**
 * `stale`: the store does not know the day, or knows it from another epoch; rebuild it from the ledger and ask again.
 * `refused`: the first scope without room, in the order deployment, tenant, provider.
 */
export type ReserveOutcome =
  | { readonly outcome: 'admitted' }
  | ({
      readonly outcome: 'refused';
      readonly scope: BudgetScope;
      readonly limitMicroUsd: number;
      /** What is missing for this call: spent + held + amount − limit. */
      readonly shortfallMicroUsd: number;
    } & BudgetUsage)
  | { readonly outcome: 'stale' };

export interface SettleRequest extends BudgetReservation {
  /** What the call really cost. More than was reserved is taken as it is: it has been spent. */
  readonly costMicroUsd: number;
}

/** `spentBefore` and `spentAfter` by scope, so that exactly one caller sees a threshold crossed. */
export type SettleOutcome =
  | {
      readonly outcome: 'settled';
      readonly spent: Readonly<
        Record<BudgetScope, { readonly beforeMicroUsd: number; readonly afterMicroUsd: number }>
      >;
    }
  /** Nothing is held under this id: settled or released before, or the day is not loaded. Nothing was changed. */
  | { readonly outcome: 'unknown' };

/** A day as the ledger knows it. */
export interface BudgetSnapshot {
  readonly day: string;
  readonly epoch: number;
  /** Settled spend: the deployment's is their sum over tenants. */
  readonly spentByTenant: ReadonlyMap<string, number>;
  readonly spentByProvider: ReadonlyMap<string, number>;
  readonly reservations: readonly (BudgetReservation & { readonly amountMicroUsd: number })[];
}

/**
 * The fleet's counters of money. They are a cache of the ledger in PostgreSQL: whatever is lost or doubtful makes the
 * store answer `stale`, never admit. Every method is one atomic step; reserve, settle and cancel take effect once
 * however often they are repeated with the same reservation. What was closed is not remembered: an id belongs to one call
 * and is never used again. Amounts that are no whole numbers are refused with a RangeError naming the field.
 *
 * A reservation that came with a snapshot is judged against the limits when its own call asks, since it may never have been
 * admitted; refused, it is held no longer.
 */
export interface BudgetStore {
  /**
   * Admits when spent + held + amount <= limit for every enforced scope (docs/reference/budgets.md#admission-check).
   */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  settle(request: SettleRequest): Promise<SettleOutcome>;
  /** Gives back what a call that was never sent had reserved. False when nothing was held. */
  cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<boolean>;
  /**
   * Puts the ledger's figures in place of what is there. The day stays `stale` until it is activated. False when the
   * store has this epoch or a newer one.
   */
  load(snapshot: BudgetSnapshot): Promise<boolean>;
  /**
   * Admits from now on, if what was loaded last is of this epoch. Call it after having seen, after the load, that the
   * ledger's epoch is still this one: a snapshot that arrives late, when a newer one was loaded and lost again, would
   * not count what was admitted by that.
   */
  activate(day: string, epoch: number): Promise<boolean>;
  /** Whether it admits by this epoch. False whenever it would answer `stale` to a row that was opened under it. */
  isOfEpoch(day: string, epoch: number): Promise<boolean>;
  /** The day's usage, or null when the store would answer `stale`. */
  read(
    day: string,
    of: { tenantId?: string; provider?: string },
  ): Promise<Partial<Record<BudgetScope, BudgetUsage>> | null>;
  /**
   * Ids of the day's open reservations, for the comparison with the ledger; null when the store would answer `stale`. A row
   * of the ledger that is open and was written before this question, but is not here, was not admitted.
   */
  listReservations(day: string): Promise<readonly string[] | null>;
}

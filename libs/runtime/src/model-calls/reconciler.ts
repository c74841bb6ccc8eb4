import type { BudgetStore, BudgetReservation } from '@annals/coordination';
import { CoordinationUnavailableError } from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { Logger, LogProvider, Metrics } from '@annals/observability';
import {
  type Database,
  DatabaseUnavailableError,
  type ExpiredReservation,
  expireReservations,
  findOverdueReservations,
  findClosedReservations,
  type OpenReservation,
  type OverdueReservation,
  wakeBatchesAfterBudgetChange,
  readBudgetEpoch,
} from '@annals/storage';
import { listOpenDays } from './budget-day.js';
import type { BudgetAdmission } from './budget-admission.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { CallLedger } from './ledger.js';

/** Number of rows of dead workers that are settled at a time. */
const ROW_BATCH_SIZE = 200;
/** Number of reservations that are compared with the ledger at a time. */
const RESERVATION_BATCH_SIZE = 1_000;

/** Covers several rounds, so that one of them comes after the work that was in flight when a budget was raised. */
const RAISED_MS = 60_000;
const SPREAD_MS = 5_000;

interface ReconcilerDependencies {
  readonly database: Database;
  readonly ledger: CallLedger;
  readonly budget: BudgetAdmission;
  readonly budgets: BudgetStore;
  readonly watch: CoordinationWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly intervalMs: number;
}

/**
 * Reconciles ledger and counters (docs/reference/budgets.md#reconciliation-of-ledger-and-counters): repeats writes that
 * this process could not make, charges the calls of dead workers in full, and settles or cancels the reservations that
 * are open in the counters but not in the ledger. Any number of processes may run it: each row is settled by one of
 * them, and settling the counters twice changes nothing.
 */
export class BudgetReconciler {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly deps: ReconcilerDependencies) {}

  start(): void {
    this.timer ??= setInterval(() => void this.reconcile(), this.deps.intervalMs);
    void this.reconcile();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Runs one round, or joins the running one. Never throws. */
  reconcile(): Promise<void> {
    this.running ??= this.runRound().finally(() => (this.running = undefined));
    return this.running;
  }

  private async runRound(): Promise<void> {
    try {
      for (const { tenantId, callId, error } of await this.deps.ledger.catchUp()) {
        this.deps.logger.error('call_unsettled', { tenantId, callId, error });
      }
      await this.expire();
      for (const day of listOpenDays(this.deps.clock.now())) await this.compareReservations(day);
      await wakeBatchesAfterBudgetChange(this.deps.database, {
        now: this.deps.clock.now(),
        withinMs: RAISED_MS,
        spreadMs: SPREAD_MS,
      });
    } catch (error) {
      // Outages of both stores are logged elsewhere; the next round continues where this one stopped.
      if (error instanceof DatabaseUnavailableError || error instanceof CoordinationUnavailableError) return;
      this.deps.logger.error('reconcile_failed', { error });
    }
  }

  private async expire(): Promise<void> {
    const { database, clock, budget } = this.deps;
    const now = clock.now();
    let overdue: OverdueReservation[];
    let expired: ExpiredReservation[];
    do {
      overdue = await findOverdueReservations(database, { now, limit: ROW_BATCH_SIZE });
      const unsent = await this.findUnsent(overdue);
      const ids = overdue.map(({ reservationId }) => reservationId);
      expired = await expireReservations(database, { now, overdue: ids, unsent });
      for (const { charged, ...reservation } of expired) {
        if (!charged) continue;
        this.report(reservation);
        await budget.settle(reservation, reservation.amountMicroUsd);
      }
    } while (overdue.length === ROW_BATCH_SIZE && expired.length > 0);
  }

  /**
   * A row without a reservation in the counters was never admitted: its worker died between writing the row and the
   * result of the counters, or after a refusal. The counters are read after the rows were found, since a row may be
   * admitted until it is overdue.
   */
  private async findUnsent(overdue: readonly OverdueReservation[]): Promise<string[]> {
    const { budgets, watch } = this.deps;
    const unsent: string[] = [];
    for (const [day, rows] of Map.groupBy(overdue, (row) => row.day)) {
      const reservations = await watch.run('budgets', () => budgets.listReservations(day));
      if (reservations === null || !(await this.isCurrent(day))) continue;
      const reserved = new Set(reservations);
      for (const { reservationId } of rows) if (!reserved.has(reservationId)) unsent.push(reservationId);
    }
    return unsent;
  }

  private report({ reservationId, tenantId, provider, amountMicroUsd }: OpenReservation): void {
    const { logger, metrics } = this.deps;
    metrics.inc('memory_llm_lost_calls_total', { provider });
    metrics.add('memory_llm_lost_cost_micro_usd_total', amountMicroUsd, { provider });
    logger.warn('reservation_expired', {
      tenantId,
      callId: reservationId,
      provider: provider as LogProvider,
      costMicroUSD: amountMicroUsd,
    });
  }

  /**
   * Whether the counters have the epoch of the ledger; checked after the counters or the ledger were read. Counters of
   * an older epoch contain neither what other processes admitted since, nor the spend of a tenant that was deleted
   * since.
   */
  private async isCurrent(day: string): Promise<boolean> {
    const { database, budgets, watch } = this.deps;
    const epoch = await readBudgetEpoch(database, day);
    return watch.run('budgets', () => budgets.isOfEpoch(day, epoch));
  }

  private async compareReservations(day: string): Promise<void> {
    const { database, budget, budgets, watch } = this.deps;
    const ids = await watch.run('budgets', () => budgets.listReservations(day));
    if (ids === null) return;
    for (let start = 0; start < ids.length; start += RESERVATION_BATCH_SIZE) {
      const closed = await findClosedReservations(database, day, ids.slice(start, start + RESERVATION_BATCH_SIZE));
      const mayCancel = closed.some(({ costMicroUsd }) => costMicroUsd === null) && (await this.isCurrent(day));
      for (const { reservationId, tenantId, provider, costMicroUsd } of closed) {
        if (costMicroUsd === null) {
          if (mayCancel) await budget.cancel({ reservationId, day });
        } else
          await budget.settle({ reservationId, day, tenantId, provider } satisfies BudgetReservation, costMicroUsd);
      }
    }
  }
}

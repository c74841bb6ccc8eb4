import {
  BUDGET_SCOPES,
  type BudgetLimits,
  type BudgetReservation,
  type BudgetStore,
  CoordinationUnavailableError,
  type ReserveOutcome,
  type ReserveRequest,
  type SettleOutcome,
} from '@annals/coordination';
import type { Clock } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { type Database, raiseBudgetEpoch, readBudgetEpoch } from '@annals/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BudgetAlerts, Spender } from './budget-alerts.js';
import { findNextBudgetDay } from './budget-day.js';
import type { CoordinationWatch } from './coordination-watch.js';
import type { CallLedger, LedgerRow } from './ledger.js';
import type { ModelCall, RefusedCall } from './model-calls.js';
import { findInsufficientLimits, type SpendingLimitsReader } from './spending-limits.js';

/** Processes that find the store empty together rebuild it in turn, each costing the others one round. */
const MAX_ROUNDS = 12;
const WAIT_PER_ROUND_MS = 20;

/**
 * Recheck delay when only reservations exceed the limit: most of the reserved amount is released when the running calls
 * settle, which seldom takes less than this.
 */
const RESERVED_RECHECK_MS = 10_000;

interface BudgetAdmissionDependencies {
  readonly database: Database;
  readonly budgets: BudgetStore;
  readonly ledger: CallLedger;
  readonly limits: SpendingLimitsReader;
  readonly alerts: BudgetAlerts;
  readonly watch: CoordinationWatch;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inc'>;
}

/** Reserves in the counters; a refusal of something else than a budget is returned as it is. */
type Reserve = (request: ReserveRequest) => Promise<ReserveOutcome | RefusedCall>;

/**
 * Admits calls against the budgets: first the row in the ledger, then the counters, which are its cache
 * (docs/reference/budgets.md#reservation-before-the-call).
 */
export class BudgetAdmission {
  private readonly rebuilding = new Map<string, Promise<void>>();

  constructor(private readonly deps: BudgetAdmissionDependencies) {}

  /** A refusal when the maximum cost exceeds a whole budget. @throws DatabaseUnavailableError */
  async readLimits({ tenantId, provider, maxCostMicroUsd }: ModelCall<unknown>): Promise<BudgetLimits | RefusedCall> {
    const known = await this.deps.limits.read(tenantId, provider);
    if (!findInsufficientLimits(known, maxCostMicroUsd)) return known;
    const limits = await this.readFreshLimits(tenantId, provider);
    const tooSmall = findInsufficientLimits(limits, maxCostMicroUsd);
    if (!tooSmall) return limits;
    const shortfallMicroUsd = maxCostMicroUsd - tooSmall.limitMicroUsd;
    return { outcome: 'refused', why: 'budget_too_small', ...tooSmall, shortfallMicroUsd };
  }

  /**
   * Opens the ledger row of the call and lets `reserve` reserve its maximum cost. A row is admitted only in the epoch in
   * which it was opened: every later epoch already counts it as open, so after a rebuild a new row replaces it.
   *
   * @throws CoordinationUnavailableError, DatabaseUnavailableError; no row is open then
   */
  async reserve(call: ModelCall<unknown>, known: BudgetLimits, reserve: Reserve): Promise<LedgerRow | RefusedCall> {
    let limits = known;
    let staleEpoch: number | undefined;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const row = await this.deps.ledger.open(call);
      const answer = await this.tryReserve(row, call.maxCostMicroUsd, limits, reserve);
      // The row of a process that was suspended this long may have been closed by the reconciler.
      const isAdmitted = answer.outcome === 'admitted' && !this.deps.ledger.isLate(row);
      if (isAdmitted) return row;
      // A refusal leaves nothing in the counters; a rebuild may have loaded the row of a stale answer into them.
      await (answer.outcome === 'refused' ? this.deps.ledger.cancelRow(row) : this.cancelCall(row));
      if ('why' in answer) return answer;
      if (answer.outcome === 'admitted') break;
      if (answer.outcome === 'refused') {
        const latestLimits = await this.readFreshLimits(call.tenantId, call.provider);
        if (isSame(limits, latestLimits)) return this.toRefusal(answer, call, row);
        limits = latestLimits;
        continue;
      }
      const isAbandoned = row.epoch === staleEpoch || (staleEpoch === undefined && !(await this.isLoaded(row.day)));
      if (isAbandoned) await this.rebuild(row.day, { ...row, limits });
      // Another process is rebuilding: raising the epoch again would only undo its work.
      else await sleep(round * WAIT_PER_ROUND_MS);
      staleEpoch = row.epoch;
    }
    throw new CoordinationUnavailableError();
  }

  /** Never throws: the reconciler makes up a settlement that the store did not receive. */
  async settle(reservation: BudgetReservation, costMicroUsd: number): Promise<void> {
    const { budgets, watch } = this.deps;
    const settled = await watch.tryRun('budgets', () => budgets.settle({ ...reservation, costMicroUsd }));
    await this.checkAlerts(reservation, settled);
  }

  /** Raises the alerts that are due after a settlement. Never throws. */
  async checkAlerts(reservation: BudgetReservation, settled: SettleOutcome | undefined): Promise<void> {
    const { limits, alerts } = this.deps;
    if (settled?.outcome !== 'settled') return;
    const { deployment, tenant, provider } = settled.spent;
    const currentLimits = await limits.read(reservation.tenantId, reservation.provider).catch(() => undefined);
    if (!currentLimits) return;
    const spent = {
      deployment: deployment.afterMicroUsd,
      tenant: tenant.afterMicroUsd,
      provider: provider.afterMicroUsd,
    };
    await alerts.check(reservation, spent, currentLimits);
  }

  /** Cancels the ledger row and the reservation of a call. Never throws. */
  private async cancelCall(row: LedgerRow): Promise<void> {
    await this.deps.ledger.cancelRow(row);
    await this.cancel({ reservationId: row.id, day: row.day });
  }

  /** Never throws. */
  async cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<void> {
    await this.deps.watch.tryRun('budgets', () => this.deps.budgets.cancel(reservation));
  }

  /** From the ledger; concurrent calls share one rebuild. Throws when one of the stores is unreachable. */
  rebuild(day: string, spender?: Omit<Spender, 'day'> & { readonly limits: BudgetLimits }): Promise<void> {
    const running = this.rebuilding.get(day);
    if (running) return running;
    const rebuilt = this.rebuildOnce(day, spender).finally(() => this.rebuilding.delete(day));
    this.rebuilding.set(day, rebuilt);
    return rebuilt;
  }

  private async rebuildOnce(
    day: string,
    spender: (Omit<Spender, 'day'> & { readonly limits: BudgetLimits }) | undefined,
  ): Promise<void> {
    const { database, budgets, watch, alerts, logger, metrics } = this.deps;
    const snapshot = await raiseBudgetEpoch(database, day);
    const isNewer = await watch.run('budgets', () => budgets.load(snapshot));
    if (!isNewer) return;
    // A process that has raised the epoch since has newer data and will load them.
    if ((await readBudgetEpoch(database, day)) !== snapshot.epoch) return;
    if (!(await watch.run('budgets', () => budgets.activate(day, snapshot.epoch)))) return;
    metrics.inc('memory_llm_budget_rebuilds_total');
    logger.info('budget_rebuilt', { day, epoch: snapshot.epoch, openReservations: snapshot.reservations.length });
    if (!spender) return;
    const { tenantId, provider, limits } = spender;
    const { spentByTenant, spentByProvider } = snapshot;
    const spent = {
      deployment: [...spentByTenant.values()].reduce((sum, value) => sum + value, 0),
      tenant: spentByTenant.get(tenantId) ?? 0,
      provider: spentByProvider.get(provider) ?? 0,
    };
    await alerts.check({ day, tenantId, provider }, spent, limits);
  }

  private async tryReserve(
    row: LedgerRow,
    amountMicroUsd: number,
    limits: BudgetLimits,
    reserve: Reserve,
  ): Promise<ReserveOutcome | RefusedCall> {
    const { id: reservationId, day, tenantId, provider, epoch } = row;
    try {
      return await reserve({ reservationId, day, tenantId, provider, amountMicroUsd, limits, epoch });
    } catch (error) {
      await this.cancelCall(row);
      throw error;
    }
  }

  private toRefusal(
    { scope, limitMicroUsd, shortfallMicroUsd, spentMicroUsd }: Extract<ReserveOutcome, { outcome: 'refused' }>,
    { maxCostMicroUsd }: ModelCall<unknown>,
    { day }: LedgerRow,
  ): RefusedCall {
    const nextDay = findNextBudgetDay(Date.parse(day));
    // Reservations of running calls, not spend: most of it is released when they end, long before midnight.
    const isOnlyReserved = spentMicroUsd + maxCostMicroUsd <= limitMicroUsd;
    const until = isOnlyReserved ? Math.min(nextDay, this.deps.clock.now() + RESERVED_RECHECK_MS) : nextDay;
    return { outcome: 'refused', why: 'budget', scope, limitMicroUsd, shortfallMicroUsd, until };
  }

  /** Work that was resumed by a raised budget must not be deferred again because of the cached limit. */
  private readFreshLimits(tenantId: string, provider: string): Promise<BudgetLimits> {
    this.deps.limits.invalidate(tenantId);
    return this.deps.limits.read(tenantId, provider);
  }

  private async isLoaded(day: string): Promise<boolean> {
    return (await this.deps.watch.run('budgets', () => this.deps.budgets.read(day, {}))) !== null;
  }
}

function isSame(one: BudgetLimits, other: BudgetLimits): boolean {
  return BUDGET_SCOPES.every((scope) => one[scope] === other[scope]);
}

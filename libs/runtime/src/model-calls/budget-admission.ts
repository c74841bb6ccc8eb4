import {
  BUDGET_SCOPES,
  type BudgetLimits,
  type BudgetStore,
  CoordinationUnavailableError,
  type BudgetReservation,
  type ReserveOutcome,
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

/** Processes that all find the store empty rebuild it one after the other: each of them costs the others one round. */
const MAX_ROUNDS = 12;
const WAIT_PER_ROUND_MS = 20;

/** Most of what running calls reserve is given back when they settle: seldom more of them end sooner than this. */
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

/**
 * Admits calls against the budgets: first the row in the ledger, then the counters, which are its cache
 * (docs/reference/budgets.md#reservation-before-the-call).
 */
export class BudgetAdmission {
  private readonly rebuilding = new Map<string, Promise<void>>();

  constructor(private readonly deps: BudgetAdmissionDependencies) {}

  /** The limits of a call; a refusal when it is above a whole budget. @throws DatabaseUnavailableError */
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
   * Opens the call's row and reserves its money. A row is admitted only by the epoch it was opened in: every later
   * epoch counts it among what is open already, so after a rebuild a new row takes its place.
   *
   * @throws CoordinationUnavailableError, DatabaseUnavailableError; nothing is held then
   */
  async reserve(call: ModelCall<unknown>, known: BudgetLimits): Promise<LedgerRow | RefusedCall> {
    let limits = known;
    let staleEpoch: number | undefined;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const row = await this.deps.ledger.open(call);
      if (call.maxCostMicroUsd === 0) return row;
      const answer = await this.tryReserve(row, call.maxCostMicroUsd, limits);
      // A process that stood still for so long has no row any more that would be charged.
      const isAdmitted = answer.outcome === 'admitted' && !this.deps.ledger.isLate(row);
      if (isAdmitted) return row;
      await this.cancelCall(row);
      if (answer.outcome === 'admitted') break;
      if (answer.outcome === 'refused') {
        const latestLimits = await this.readFreshLimits(call.tenantId, call.provider);
        if (isSame(limits, latestLimits)) return this.toRefusal(answer, call, row);
        limits = latestLimits;
        continue;
      }
      const isAbandoned = row.epoch === staleEpoch || (staleEpoch === undefined && !(await this.isLoaded(row.day)));
      if (isAbandoned) await this.rebuild(row.day, { ...row, limits });
      // Somebody else is at it: raising the epoch again would only undo their work.
      else await sleep(round * WAIT_PER_ROUND_MS);
      staleEpoch = row.epoch;
    }
    throw new CoordinationUnavailableError();
  }

  /** Never throws: what the store was not told, the reconciler finds. */
  async settle(reservation: BudgetReservation, costMicroUsd: number): Promise<void> {
    const { budgets, watch, limits, alerts } = this.deps;
    const settled = await watch.tryRun('budgets', () => budgets.settle({ ...reservation, costMicroUsd }));
    if (settled?.outcome !== 'settled') return;
    const { deployment, tenant, provider } = settled.spent;
    const holding = await limits.read(reservation.tenantId, reservation.provider).catch(() => undefined);
    if (!holding) return;
    const spent = {
      deployment: deployment.afterMicroUsd,
      tenant: tenant.afterMicroUsd,
      provider: provider.afterMicroUsd,
    };
    await alerts.check(reservation, spent, holding);
  }

  /** Takes back what was not spent. Never throws. */
  async cancelCall(row: LedgerRow): Promise<void> {
    await this.deps.ledger.cancelRow(row);
    await this.cancel({ reservationId: row.id, day: row.day });
  }

  /** Never throws. */
  async cancel(reservation: Pick<BudgetReservation, 'reservationId' | 'day'>): Promise<void> {
    await this.deps.watch.tryRun('budgets', () => this.deps.budgets.cancel(reservation));
  }

  /** Puts the ledger's figures of a day into the store; once at a time. Throws when one of the two is away. */
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
    // Whoever has raised the epoch since knows more, and will load it.
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

  private async tryReserve(row: LedgerRow, amountMicroUsd: number, limits: BudgetLimits): Promise<ReserveOutcome> {
    const { budgets, watch } = this.deps;
    const { id: reservationId, day, tenantId, provider, epoch } = row;
    const request = { reservationId, day, tenantId, provider, amountMicroUsd, limits, epoch };
    try {
      return await watch.run('budgets', () => budgets.reserve(request));
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
    const tomorrow = findNextBudgetDay(Date.parse(day));
    // Upper bounds of calls that run, not money: most of it comes back when they end, long before midnight.
    const isOnlyReserved = spentMicroUsd + maxCostMicroUsd <= limitMicroUsd;
    const until = isOnlyReserved ? Math.min(tomorrow, this.deps.clock.now() + RESERVED_RECHECK_MS) : tomorrow;
    return { outcome: 'refused', why: 'budget', scope, limitMicroUsd, shortfallMicroUsd, until };
  }

  /** Work that a raised budget has just woken must not be put off again by the limit that was known before. */
  private readFreshLimits(tenantId: string, provider: string): Promise<BudgetLimits> {
    this.deps.limits.forget(tenantId);
    return this.deps.limits.read(tenantId, provider);
  }

  private async isLoaded(day: string): Promise<boolean> {
    return (await this.deps.watch.run('budgets', () => this.deps.budgets.read(day, {}))) !== null;
  }
}

function isSame(one: BudgetLimits, other: BudgetLimits): boolean {
  return BUDGET_SCOPES.every((scope) => one[scope] === other[scope]);
}

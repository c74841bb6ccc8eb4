import { WORK_KINDS } from '@annals/contracts';
import { type Clock, computeRetryDelayMs, type Rng, SystemRng } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { computeJobPriority } from '../job-queue/compute-priority.js';
import { DEFAULT_RELAY_LIMITS, type RelayLimits } from './limits.js';
import { groupByKind, isKnownKind, type LeasedRow, type WorkQueues, type WorkStore, toWorkJob } from './work-store.js';
import { Pause } from './pause.js';

export interface OutboxRelayOptions {
  readonly store: WorkStore;
  readonly queues: WorkQueues;
  readonly clock: Clock;
  readonly rng?: Rng;
  readonly metrics: Pick<Metrics, 'add' | 'inc'>;
  readonly logger: Logger;
  readonly limits?: Partial<RelayLimits>;
}

/** Minimum time to the next round when no row is due, whatever time the store returns. */
const MIN_IDLE_MS = 100;

/**
 * Releases work rows to their queues: leases, commits, adds, marks (docs/reference/queues.md#relay-order). Any number
 * of relays may run concurrently: a lease belongs to one of them, and a job that is added twice is one job.
 */
export class OutboxRelay {
  private readonly pause = new Pause();
  private readonly limits: RelayLimits;
  private readonly rng: Rng;
  private running?: Promise<void>;
  private failures = 0;
  /** Rows that are leased but could not be added: retried as long as the lease holds. */
  private leased: { readonly rows: readonly LeasedRow[]; readonly until: number } | undefined;

  constructor(private readonly options: OutboxRelayOptions) {
    this.limits = { ...DEFAULT_RELAY_LIMITS, ...options.limits };
    this.rng = options.rng ?? new SystemRng();
    for (const queue of WORK_KINDS) options.metrics.add('memory_llm_relay_released_total', 0, { queue });
  }

  /** Starts the loop in the root context: it must not be part of the trace of its caller. */
  start(): void {
    this.running ??= context.with(ROOT_CONTEXT, () => this.loop());
  }

  /** Rows are due: call it after the commit. Never throws or waits; several calls count as one. */
  kick(): void {
    this.pause.kick();
  }

  /**
   * Rows may be due that nobody waits for, such as those of background work: a round follows within `laterKickMs`, in
   * which all calls count as one.
   */
  kickLater(): void {
    this.pause.kickLater(this.limits.laterKickMs);
  }

  /** Stops the loop and waits for the round in flight. */
  async stop(): Promise<void> {
    this.pause.stop();
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.pause.isStopped) {
      const idleMs = await this.tryRound();
      await this.pause.rest(this.limits.roundGapMs);
      await this.pause.sleep(idleMs - this.limits.roundGapMs);
    }
  }

  /** For how many ms no row is due. After a failed round it first waits for the retry delay. */
  private async tryRound(): Promise<number> {
    try {
      const idleMs = await this.releaseDueRows();
      this.failures = 0;
      return idleMs;
    } catch (error) {
      this.options.metrics.inc('memory_llm_relay_errors_total', { round: 'release' });
      if (this.failures === 0) this.options.logger.warn('outbox_failed', { error });
      await this.pause.rest(this.computeRetryMs());
      this.failures += 1;
      return 0;
    }
  }

  private async releaseDueRows(): Promise<number> {
    const startedMs = performance.now();
    const { batchSize, perTenant, leaseMs } = this.limits;
    const now = this.options.clock.now();
    if (this.leased && now < this.leased.until) {
      await this.release(this.leased.rows, startedMs);
      return 0;
    }
    const { rows: due, nextDueAt } = await this.options.store.lease({ now, limit: batchSize, perTenant, leaseMs });
    if (due.length === 0) return this.computeIdleMs(nextDueAt);
    const rows = due.filter(({ kind }) => isKnownKind(this.options.queues, kind));
    this.leased = { rows, until: now + leaseMs };
    await this.release(rows, startedMs);
    // More rows may be due: only a lease without rows returns when the next one is.
    return 0;
  }

  private async release(rows: readonly LeasedRow[], startedMs: number): Promise<void> {
    const { queues, store, clock, metrics, logger } = this.options;
    const now = clock.now();
    for (const [kind, ofKind] of groupByKind(rows)) {
      await queues[kind].addAll(
        ofKind.map((row) => ({
          payload: toWorkJob(row),
          trace: row.trace,
          priority: computeJobPriority(now, row),
        })),
      );
      metrics.add('memory_llm_relay_released_total', ofKind.length, { queue: kind });
    }
    await store.markReleased(rows, clock.now());
    this.leased = undefined;
    const durationMs = Math.round(performance.now() - startedMs);
    logger.debug('outbox_released', { released: rows.length, durationMs });
  }

  private computeIdleMs(nextDueAt: number | null): number {
    if (nextDueAt === null) return this.limits.idleMs;
    const untilDueMs = Math.max(nextDueAt - this.options.clock.now(), MIN_IDLE_MS);
    return Math.min(untilDueMs, this.limits.idleMs);
  }

  private computeRetryMs(): number {
    const { firstRetryMs: firstMs, maxRetryMs: maxMs } = this.limits;
    return computeRetryDelayMs({ firstMs, maxMs, jitter: 0.5 }, this.failures, this.rng);
  }
}

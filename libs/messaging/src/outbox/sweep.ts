import { WORK_KINDS } from '@annals/contracts';
import { type Clock, type Rng, SystemRng } from '@annals/domain';
import type { Logger, Metrics } from '@annals/observability';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { JobState } from '../job-queue/job-queue.js';
import type { QueueBackend } from '../queue-backend/queue-backend.js';
import { DEFAULT_SWEEP_LIMITS, type SweepLimits } from './limits.js';
import { groupByKind, isKnownKind, type WorkQueues, type WorkRow, type WorkStore, toWorkJob } from './work-store.js';
import { Pause } from './pause.js';

/** The job has ended and its row still exists: the worker did not commit. */
export type OrphanedState = Extract<JobState, 'failed' | 'completed'>;

export interface OutboxSweepOptions {
  readonly store: WorkStore;
  readonly backend: Pick<QueueBackend, 'readEpoch' | 'onRecovered'>;
  readonly queues: WorkQueues;
  readonly clock: Clock;
  readonly rng?: Rng;
  readonly metrics: Pick<Metrics, 'add' | 'inc'>;
  readonly logger: Logger;
  /** Called when rows were set back to waiting: the `kick` of the relay. */
  readonly kick: () => void;
  /** Handles a row whose job has ended. May be called more than once, and in addition to `onExhausted`. */
  readonly onOrphaned: (row: WorkRow, state: OrphanedState) => Promise<void>;
  readonly limits?: Partial<SweepLimits>;
}

/**
 * Finds released rows whose job is missing and sets them back to waiting, so that no work is lost when the queue loses
 * its data. Checks all rows as soon as the queue recovers or its epoch changes; otherwise only old ones.
 */
export class OutboxSweep {
  private readonly pause = new Pause();
  private readonly limits: SweepLimits;
  private readonly rng: Rng;
  private readonly epoch: EpochWatch;
  private running?: Promise<void>;
  private removeListener?: () => void;
  private mustRecheckAll = false;
  private nextSweepAt: number;

  constructor(private readonly options: OutboxSweepOptions) {
    this.limits = { ...DEFAULT_SWEEP_LIMITS, ...options.limits };
    this.rng = options.rng ?? new SystemRng();
    this.epoch = new EpochWatch(options.backend);
    this.nextSweepAt = options.clock.now() + this.computeIntervalMs();
    for (const queue of WORK_KINDS) options.metrics.add('memory_llm_relay_swept_total', 0, { queue });
  }

  start(): void {
    this.removeListener ??= this.options.backend.onRecovered(() => {
      this.mustRecheckAll = true;
      this.pause.kick();
    });
    this.running ??= context.with(ROOT_CONTEXT, () => this.loop());
  }

  /** Stops the loop and waits for the round in flight. */
  async stop(): Promise<void> {
    this.removeListener?.();
    this.pause.stop();
    await this.running;
  }

  /**
   * One sweep over the rows released before `releasedBefore` (epoch ms). Returns how many were set back to waiting.
   * @throws QueueUnavailableError, and what the store throws
   */
  async sweep({ releasedBefore, recheckAll }: { releasedBefore: number; recheckAll: boolean }): Promise<number> {
    const startedAt = this.options.clock.now();
    let returned = 0;
    for (;;) {
      const now = this.options.clock.now();
      // Checking all rows once means checking those that were not checked since this sweep began.
      const recheckAfterMs = recheckAll ? now - startedAt + 1 : this.limits.recheckAfterMs;
      const limit = this.limits.batchSize;
      const rows = await this.options.store.findSuspects({ now, releasedBefore, recheckAfterMs, limit });
      const known = rows.filter(({ kind }) => isKnownKind(this.options.queues, kind));
      for (const ofKind of groupByKind(known).values()) returned += await this.settle(ofKind);
      if (rows.length < limit || this.pause.isStopped) break;
    }
    if (returned > 0) this.options.kick();
    return returned;
  }

  private async loop(): Promise<void> {
    while (!this.pause.isStopped) {
      await this.tryRound();
      await this.pause.sleep(this.limits.epochCheckMs);
    }
  }

  private async tryRound(): Promise<void> {
    const { clock, logger, metrics } = this.options;
    try {
      if (await this.epoch.hasChanged()) this.mustRecheckAll = true;
      const now = clock.now();
      if (!this.mustRecheckAll && now < this.nextSweepAt) return;
      const recheckAll = this.mustRecheckAll;
      this.mustRecheckAll = false;
      this.nextSweepAt = now + this.computeIntervalMs();
      await this.sweepOrRetryLater(recheckAll ? now : now - this.limits.sweepAfterMs, recheckAll);
    } catch (error) {
      metrics.inc('memory_llm_relay_errors_total', { round: 'sweep' });
      logger.debug('outbox_failed', { error });
    }
  }

  private async sweepOrRetryLater(releasedBefore: number, recheckAll: boolean): Promise<void> {
    try {
      const swept = await this.sweep({ releasedBefore, recheckAll });
      if (swept > 0) this.options.logger.warn('outbox_swept', { swept });
    } catch (error) {
      this.mustRecheckAll ||= recheckAll;
      throw error;
    }
  }

  private async settle(rows: readonly WorkRow[]): Promise<number> {
    const [first] = rows;
    if (!first) return 0;
    const queue = this.options.queues[first.kind];
    const idOf = (row: WorkRow) => queue.definition.jobId(toWorkJob(row));
    const states = await queue.readStates(rows.map(idOf));
    const missing = rows.filter((row) => states.get(idOf(row)) === 'missing');
    for (const row of rows) await this.reportOrphaned(row, states.get(idOf(row)));
    if (missing.length === 0) return 0;
    const returned = await this.options.store.returnToWaiting(missing, this.options.clock.now());
    this.options.metrics.add('memory_llm_relay_swept_total', returned, { queue: first.kind });
    return returned;
  }

  private async reportOrphaned(row: WorkRow, state: JobState | undefined): Promise<void> {
    if (state !== 'failed' && state !== 'completed') return;
    try {
      await this.options.onOrphaned(row, state);
    } catch (error) {
      this.options.logger.error('outbox_failed', { error });
    }
  }

  /** With a jitter of ±10 %, so that the processes of a fleet do not sweep at the same time. */
  private computeIntervalMs(): number {
    return this.limits.sweepIntervalMs * (0.9 + this.rng.nextFloat() / 5);
  }
}

/** Detects that the queue lost its data: its epoch key is missing or has another value. */
export class EpochWatch {
  private lastId: string | undefined;

  constructor(private readonly backend: Pick<QueueBackend, 'readEpoch'>) {}

  /** True once per loss. @throws QueueUnavailableError */
  async hasChanged(): Promise<boolean> {
    const { id, created } = await this.backend.readEpoch();
    const changed = created || (this.lastId !== undefined && this.lastId !== id);
    this.lastId = id;
    return changed;
  }
}

import { type Clock, computeRetryDelayMs } from '@annals/domain';
import type { GaugeReading, Metrics } from '@annals/observability';
import {
  type Database,
  DatabaseUnavailableError,
  finishMaintenanceJob,
  leaseMaintenanceJob,
  type LeasedMaintenanceJob,
  type MaintenanceStatus,
  readMaintenanceStatus,
  readPurgeOverdueMs,
  renewMaintenanceLease,
  sqlState,
} from '@annals/storage';
import { startLeaseRenewal } from '../leased-job/lease-renewal.js';
import type { ProcessContext } from '../infrastructure/process-context.js';
import type { MaintenanceJob, MaintenanceProgress } from './maintenance-job.js';

/** Timing of the runner; all in ms. */
export interface MaintenanceLimits {
  /** Between two checks for due jobs. */
  readonly pollMs: number;
  /** Time budget of one run. */
  readonly budgetMs: number;
  /** Lease of one process on one job, renewed while it runs: how long a job waits when its process was killed. */
  readonly leaseMs: number;
}

const DEFAULT_LIMITS: MaintenanceLimits = { pollMs: 5_000, budgetMs: 5_000, leaseMs: 30_000 };

const RUNS = 'memory_llm_maintenance_runs_total';

/** The delay after a failure doubles each time, up to the interval of the job. */
const FIRST_RETRY_DELAY_MS = 1_000;

type MaintenanceRunnerOptions = Pick<ProcessContext, 'clock' | 'ids' | 'logger' | 'metrics'> & {
  readonly database: Database;
  readonly limits?: Partial<MaintenanceLimits>;
};

/**
 * Runs the periodic maintenance jobs of a process. Each job is leased in the database, so that one process of the fleet
 * runs it, and another one continues when that process dies. Modules add their jobs while the application starts.
 */
export class MaintenanceRunner {
  private readonly jobs = new Map<string, MaintenanceJob>();
  private readonly limits: MaintenanceLimits;
  private readonly holder: string;
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<number> | undefined;

  constructor(private readonly options: MaintenanceRunnerOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.holder = options.ids.next();
  }

  /** Throws when a job with this name was added before. */
  add(job: MaintenanceJob): void {
    if (this.jobs.has(job.name)) throw new Error(`There are two maintenance jobs named ${job.name}. Rename one.`);
    this.jobs.set(job.name, job);
  }

  start(): void {
    if (this.jobs.size === 0) return;
    const { metrics, database, clock } = this.options;
    collectMaintenanceGauges(metrics, database, clock);
    for (const { name, intervalMs } of this.jobs.values())
      metrics.set('memory_llm_maintenance_interval_ms', intervalMs, { task: name });
    this.timer ??= setInterval(() => void this.runDue(), this.limits.pollMs);
    void this.runDue();
  }

  /** Aborts the current job and waits for it; its progress is stored. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort(new Error('The process is stopping.'));
    await this.running;
  }

  /** Runs the due jobs one after another, until none is due; returns the number of runs. Never throws. */
  runDue(): Promise<number> {
    this.running ??= this.runAll().finally(() => (this.running = undefined));
    return this.running;
  }

  private async runAll(): Promise<number> {
    let runs = 0;
    try {
      for (;;) {
        const leased = this.stopping.signal.aborted ? null : await this.lease();
        if (!leased) return runs;
        await this.runLeased(leased);
        runs += 1;
      }
    } catch (error) {
      // Database outages are logged elsewhere; the lease of the current job expires.
      if (!(error instanceof DatabaseUnavailableError)) this.options.logger.error('maintenance_failed', { error });
      return runs;
    }
  }

  private lease(): Promise<LeasedMaintenanceJob | null> {
    const { database, clock } = this.options;
    const { leaseMs } = this.limits;
    return leaseMaintenanceJob(database, {
      names: [...this.jobs.keys()],
      holder: this.holder,
      now: clock.now(),
      leaseMs,
    });
  }

  private async runLeased(leased: LeasedMaintenanceJob): Promise<void> {
    const { database, clock } = this.options;
    const { leaseMs, budgetMs } = this.limits;
    const job = this.jobs.get(leased.name)!;
    const lease = startLeaseRenewal(leaseMs, this.stopping.signal, () =>
      renewMaintenanceLease(database, { name: job.name, holder: this.holder, now: clock.now(), leaseMs }),
    );
    const startedMs = performance.now();
    let progress: MaintenanceProgress;
    try {
      progress = await job.run({ database, clock, signal: lease.signal, cursor: leased.cursor, budgetMs });
    } catch (problem) {
      // An aborted job may throw: like the job of a killed process, it waits until its lease expires.
      if (lease.signal.aborted) return this.options.metrics.inc(RUNS, { task: job.name, outcome: 'lost' });
      progress = { done: 0, cursor: leased.cursor, problem };
    } finally {
      lease.stop();
    }
    await this.finish(job, leased, progress, performance.now() - startedMs);
  }

  private async finish(
    job: MaintenanceJob,
    { failures }: LeasedMaintenanceJob,
    { done, cursor, problem }: MaintenanceProgress,
    durationMs: number,
  ): Promise<void> {
    const { database, clock, metrics, logger } = this.options;
    const hasFailed = problem !== undefined;
    const nextRunDelayMs = hasFailed
      ? computeRetryDelayMs({ firstMs: FIRST_RETRY_DELAY_MS, maxMs: job.intervalMs }, failures)
      : cursor === null
        ? job.intervalMs
        : 0;
    const now = clock.now();
    const isRecorded = await finishMaintenanceJob(database, {
      name: job.name,
      holder: this.holder,
      now,
      dueAt: now + nextRunDelayMs,
      done,
      error: hasFailed ? formatErrorName(problem) : null,
      cursor,
    });
    const outcome = hasFailed ? 'failed' : !isRecorded ? 'lost' : cursor === null ? 'completed' : 'continued';
    metrics.inc(RUNS, { task: job.name, outcome });
    metrics.add('memory_llm_maintenance_done_total', done, { task: job.name });
    metrics.observe('memory_llm_maintenance_run_ms', durationMs, { task: job.name });
    if (hasFailed) logger.error('maintenance_run_failed', { job: job.name, failures: failures + 1, error: problem });
    const level = done > 0 ? 'info' : 'debug';
    logger[level]('maintenance_run_complete', { job: job.name, done, durationMs, isFinished: cursor === null });
  }
}

const IDENTIFIER = /^[\w.:-]{1,80}$/;

/** What may be stored of the error of a job: its name and SQLSTATE, never its message, which can quote a row. */
function formatErrorName(error: unknown): string {
  const name = error instanceof Error && IDENTIFIER.test(error.name) ? error.name : 'Error';
  const state = sqlState(error);
  return state === undefined ? name : `${name} ${state}`;
}

const GAUGES = [
  'memory_llm_maintenance_failures',
  'memory_llm_maintenance_age_ms',
  'memory_llm_purge_overdue_ms',
] as const;
type MaintenanceReading = Extract<GaugeReading, { metric: (typeof GAUGES)[number] }>;

/** Collects the status of the fleet's maintenance jobs on each Prometheus scrape. */
function collectMaintenanceGauges(metrics: Metrics, database: Database, clock: Clock): void {
  metrics.collectGauges(GAUGES, async () => {
    const now = clock.now();
    const [statuses, overdueMs] = await Promise.all([
      readMaintenanceStatus(database),
      readPurgeOverdueMs(database, now),
    ]);
    return [
      ...statuses.flatMap((status) => toReadings(status, now)),
      { metric: 'memory_llm_purge_overdue_ms', labels: {}, value: overdueMs },
    ];
  });
}

function toReadings({ name, failures, completedAt }: MaintenanceStatus, now: number): MaintenanceReading[] {
  const labels = { task: name };
  return [
    { metric: 'memory_llm_maintenance_failures', labels, value: failures },
    ...(completedAt === null
      ? []
      : [{ metric: 'memory_llm_maintenance_age_ms' as const, labels, value: Math.max(0, now - completedAt) }]),
  ];
}

import { type BatchJob, extractionQueue, type QueueDefinition } from '@annals/contracts';
import { SeededRng, SystemClock, UuidV7Generator } from '@annals/domain';
import { createMetrics } from '@annals/observability';
import { createTestPool } from '@annals/testing';
import type pg from 'pg';
import type { JobQueue } from '../job-queue/job-queue.js';
import type { OutboxRow } from '../outbox/outbox-store.js';
import { createQueueBackend, createQueueTelemetry } from '../queue-backend/create-queue-backend.js';
import type { QueueBackend, QueueBackendConfig } from '../queue-backend/queue-backend.js';
import type { ExhaustedJob, JobHandler } from '../worker/job-worker.types.js';
import { JobWorker } from '../worker/job-worker.js';
import { createRecordingLogger } from './recording-logger.fixture.js';
import { TableOutboxStore } from './table-outbox-store.fixture.js';

/** The servers that a contract suite runs on. */
export interface QueueTarget {
  readonly backend: QueueBackendConfig;
  /** Database of the outbox table. */
  readonly database: pg.PoolConfig;
  /** Whether other processes can connect to it. */
  readonly isShared: boolean;
  /** Deletes all jobs, as a crash of a queue without persistence does. */
  loseAllJobs(): Promise<void>;
  stop(): Promise<void>;
}

export type TestDefinition = QueueDefinition<'extraction', BatchJob>;

/** Fast retries and quick detection of dead workers: everything else is as in production. */
export const testDefinition: TestDefinition = {
  ...extractionQueue,
  attempts: 3,
  backoff: { type: 'exponential', delayMs: 20, jitter: 0.5 },
  lockDurationMs: 1_000,
  stalledIntervalMs: 300,
};

const ids = new UuidV7Generator(new SystemClock());

export function createBatchJob(): BatchJob {
  return { tenantId: ids.next(), batchId: ids.next(), generation: 1 };
}

export function createOutboxRows(count: number, trace: string | null = null): OutboxRow[] {
  return Array.from({ length: count }, () => ({ id: ids.next(), queue: 'extraction', trace, ...createBatchJob() }));
}

/** The resources of one test; `close` closes everything that was started. */
export class QueueFixture {
  readonly clock = new SystemClock();
  readonly recorded = createRecordingLogger();
  readonly metrics = createMetrics({ service: 'spec', version: '0', processMetrics: false });
  readonly exhausted: { payload: BatchJob; job: ExhaustedJob }[] = [];
  private readonly toClose: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly backend: QueueBackend,
    readonly store: TableOutboxStore,
    readonly pool: pg.Pool,
  ) {}

  static async open(target: QueueTarget): Promise<QueueFixture> {
    const pool = createTestPool({ ...target.database, max: 5 });
    const store = new TableOutboxStore(pool);
    await store.create();
    const { logger } = createRecordingLogger();
    const telemetry = createQueueTelemetry();
    const backend = await createQueueBackend(target.backend, { logger, telemetry, operationTimeoutMs: 5_000 });
    await backend.ping();
    await backend.openQueue(testDefinition).bull.obliterate({ force: true });
    return new QueueFixture(backend, store, pool);
  }

  get queue(): JobQueue<BatchJob> {
    return this.backend.openQueue<BatchJob>(testDefinition);
  }

  get queues() {
    return { extraction: this.queue, persistence: this.queue };
  }

  closeLater(close: () => Promise<unknown>): void {
    this.toClose.unshift(close);
  }

  createWorker(handler: JobHandler<BatchJob>, definition = testDefinition): JobWorker<BatchJob> {
    const { backend, clock, metrics } = this;
    const worker = new JobWorker<BatchJob>({
      definition,
      backend,
      handler,
      clock,
      rng: new SeededRng(1),
      metrics,
      logger: this.recorded.logger,
      onExhausted: async (payload, job) => {
        this.exhausted.push({ payload, job });
      },
    });
    this.closeLater(() => worker.close({ timeoutMs: 100 }));
    return worker;
  }

  async startWorker(handler: JobHandler<BatchJob>, definition = testDefinition): Promise<JobWorker<BatchJob>> {
    const worker = this.createWorker(handler, definition);
    await worker.start();
    return worker;
  }

  async add(payload = createBatchJob()): Promise<string> {
    await this.queue.addAll([{ payload, trace: null, priority: 1 }]);
    return testDefinition.jobId(payload);
  }

  async readState(jobId: string): Promise<string | undefined> {
    return (await this.queue.readStates([jobId])).get(jobId);
  }

  async close(): Promise<void> {
    for (const close of this.toClose) await close();
    await this.backend.close();
    await this.pool.end();
  }
}

import type { QueueDefinition } from '@annals/contracts';
import { Queue, runMigrations, Worker } from 'bullmq';
import pg from 'pg';
import type { JobQueue } from '../job-queue/job-queue.js';
import { OutageTracker } from './outage-tracker.js';
import type {
  PostgresBackendConfig,
  QueueBackend,
  QueueBackendDependencies,
  QueueEpoch,
  QueueProcessor,
  QueueWorkerOptions,
} from './queue-backend.js';
import { asConnection, postgresFactory } from './postgres-factory.js';
import { QueueGuard } from './queue-guard.js';
import { QueueRegistry } from './queue-registry.js';
import { reportWorkerError } from './report-worker-error.js';
import { DEFAULT_OPERATION_TIMEOUT_MS, workerDefaults } from './worker-defaults.js';

/** BullMQ uses this schema for every pool that it did not create itself. */
const SCHEMA = 'bullmq';
const CLIENTS_FOR_QUERIES = 5;

/** BullMQ on PostgreSQL, a server or the embedded database. */
export class PostgresBackend implements QueueBackend {
  readonly kind = 'postgres';
  private readonly guard: QueueGuard;
  private readonly registry: QueueRegistry;

  private constructor(
    private readonly pool: pg.Pool,
    private readonly tracker: OutageTracker,
    private readonly deps: QueueBackendDependencies,
  ) {
    this.guard = new QueueGuard(tracker, deps.operationTimeoutMs ?? DEFAULT_OPERATION_TIMEOUT_MS);
    this.registry = new QueueRegistry((name) => this.createProducer(name), this.guard);
  }

  /** Creates or updates BullMQ's own tables, once, before anything else uses them. */
  static async open(config: PostgresBackendConfig, deps: QueueBackendDependencies): Promise<PostgresBackend> {
    const tracker = new OutageTracker(deps.logger);
    const pool = new pg.Pool({
      connectionTimeoutMillis: deps.operationTimeoutMs ?? DEFAULT_OPERATION_TIMEOUT_MS,
      ...config.pool,
      max: config.pool.max ?? CLIENTS_FOR_QUERIES,
      keepAlive: true,
      options: `-c search_path=${SCHEMA}`,
    });
    pool.on('error', (error) => tracker.reportDown('producer', error));
    try {
      await migrate(pool);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return new PostgresBackend(pool, tracker, deps);
  }

  openQueue<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload> {
    return this.registry.open(definition);
  }

  createWorker(queueName: string, processor: QueueProcessor, options: QueueWorkerOptions): Worker {
    // Each worker occupies one client to listen on: without one more client for it, the pool would deadlock.
    this.pool.options.max += 1;
    const { telemetry, logger } = this.deps;
    const all = { ...workerDefaults, ...options, connection: asConnection(this.pool), telemetry, autorun: false };
    const worker = new Worker(queueName, processor, all, postgresFactory);
    worker.on('error', (error) => reportWorkerError(logger, error));
    worker.once('closed', () => {
      this.pool.options.max -= 1;
    });
    return worker;
  }

  async ping(): Promise<void> {
    await this.guard.run('ping', () => this.pool.query('SELECT 1'));
  }

  /** Jobs are in the database of the outbox: both are lost together or not at all. */
  async readEpoch(): Promise<QueueEpoch> {
    await this.ping();
    return { id: SCHEMA, created: false };
  }

  onRecovered(listener: () => void): () => void {
    return this.tracker.onRecovered(listener);
  }

  async close(): Promise<void> {
    await this.registry.close();
    await this.pool.end();
  }

  private createProducer(name: string): Queue {
    const queue = new Queue(name, { connection: asConnection(this.pool) }, postgresFactory);
    queue.on('error', (error) => this.tracker.reportDown('producer', error));
    return queue;
  }
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    client.release();
  }
}

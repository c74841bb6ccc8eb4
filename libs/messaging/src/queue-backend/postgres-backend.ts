import {
  createPostgresBackend,
  type createRedisBackend,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import { BullMQBackend, DEFAULT_OPERATION_TIMEOUT_MS } from './bullmq-backend.js';
import type { PostgresBackendConfig, QueueBackendDependencies, QueueEpoch, QueueProcessor } from './queue-backend.js';
import { OutageTracker } from './queue-guard.js';

/** BullMQ uses this schema for every pool that it did not create itself. */
const SCHEMA = 'bullmq';
const CLIENTS_FOR_QUERIES = 5;

/**
 * BullMQ's classes have the type of their backend as a parameter, though the members used here are the same for each.
 * With this cast all other code can use plain `Queue` and `Worker`.
 */
const postgresFactory = createPostgresBackend as unknown as typeof createRedisBackend;

/** BullMQ on PostgreSQL, a server or the embedded database. */
export class PostgresBackend extends BullMQBackend {
  readonly kind = 'postgres';

  private constructor(
    private readonly pool: pg.Pool,
    tracker: OutageTracker,
    deps: QueueBackendDependencies,
  ) {
    super(deps, tracker);
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
    // Each queue and worker adds one: more than ten in an app with all services.
    pool.setMaxListeners(0);
    pool.on('error', (error) => tracker.reportDown('producer', error));
    try {
      await migrate(pool);
    } catch (error) {
      await pool.end();
      throw error;
    }
    return new PostgresBackend(pool, tracker, deps);
  }

  async readEvictionPolicy(): Promise<string | null> {
    return null;
  }

  async ping(): Promise<void> {
    await this.guard.run('ping', () => this.pool.query('SELECT 1'));
  }

  /** Jobs are in the database of the outbox: both are lost together or not at all. */
  async readEpoch(): Promise<QueueEpoch> {
    await this.ping();
    return { id: SCHEMA, created: false };
  }

  protected createProducer(name: string): Queue {
    return new Queue(name, { connection: this.connection }, postgresFactory);
  }

  protected openWorker(name: string, processor: QueueProcessor, options: Omit<WorkerOptions, 'connection'>): Worker {
    // Each worker occupies one client to listen on: without one more client for it, the pool would deadlock.
    this.pool.options.max += 1;
    const worker = new Worker(name, processor, { ...options, connection: this.connection }, postgresFactory);
    worker.once('closed', () => {
      this.pool.options.max -= 1;
    });
    return worker;
  }

  protected async disconnect(): Promise<void> {
    await this.pool.end();
  }

  /** The pool, where BullMQ's types expect a Redis connection. */
  private get connection(): { host?: string } {
    return this.pool as { host?: string };
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

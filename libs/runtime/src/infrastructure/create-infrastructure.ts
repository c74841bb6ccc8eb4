import type { Config } from '@annals/config';
import { queues as queueDefinitions } from '@annals/contracts';
import {
  createQueueBackend,
  createQueueTelemetry,
  OutboxRelay,
  OutboxSweep,
  type QueueBackendConfig,
} from '@annals/messaging';
import { Database, type PgConnection, PostgresOutboxStore } from '@annals/storage';
import type { Duplex } from 'node:stream';
import { deriveSecrets } from '../secrets/derive-secrets.js';
import { collectStoreGauges } from './collect-store-gauges.js';
import type { Infrastructure } from './infrastructure.js';
import type { ProcessContext } from './process-context.js';
import { settleStrandedRow } from './settle-stranded-row.js';
import { WorkerRegistry } from './worker-registry.js';

/** Configuration every service of the distributed profile loads, beside what it needs itself. */
export const DISTRIBUTED_FRAGMENTS = [
  'http',
  'secrets',
  'database',
  'redis',
  'queue',
  'relay',
  'logging',
  'telemetry',
  'lifecycle',
] as const;
export type DistributedConfig = Config<(typeof DISTRIBUTED_FRAGMENTS)[number]>;

/** Where the data are: two servers, or the database inside this process. */
export type Stores =
  | { readonly kind: 'distributed'; readonly config: Config<'database' | 'redis' | 'queue'> }
  | { readonly kind: 'embedded'; readonly createStream: () => Duplex };

export interface InfrastructureOptions {
  readonly stores: Stores;
  /** ANNALS_SECRET_KEY. */
  readonly secretKey: string;
  readonly relay: Config<'relay'>['relay'];
  readonly traced: boolean;
}

/** All statements of the embedded database run one after the other, so more connections would only wait. */
const EMBEDDED_POOL_SIZE = 8;

/**
 * Connects to the stores. Throws DatabaseUnavailableError while PostgreSQL is away; Redis may be away, since the
 * outbox keeps the work. The caller closes what it got.
 */
export async function createInfrastructure(
  context: ProcessContext,
  { stores, secretKey, relay: limits, traced }: InfrastructureOptions,
): Promise<Infrastructure> {
  const { clock, rng, metrics, logger } = context;
  const database = await openDatabase(stores, context);
  try {
    const queueBackend = await createQueueBackend(queueConfig(stores), {
      logger,
      rng,
      ...(traced ? { telemetry: createQueueTelemetry() } : {}),
    });
    const queues = {
      extraction: queueBackend.openQueue(queueDefinitions.extraction),
      persistence: queueBackend.openQueue(queueDefinitions.persistence),
    };
    const store = new PostgresOutboxStore(database);
    const common = { store, queues, clock, rng, metrics, logger };
    const relay = new OutboxRelay({ ...common, limits: { perTenant: limits.releasePerTenant } });
    const sweep = new OutboxSweep({
      ...common,
      backend: queueBackend,
      kick: () => relay.kick(),
      onStranded: (row, state) => settleStrandedRow({ database, store, clock, relay }, row, state),
      limits: { sweepIntervalMs: limits.sweepIntervalMs, sweepAfterMs: limits.sweepAfterMs },
    });
    const workers = new WorkerRegistry(logger);
    collectStoreGauges(metrics, database);
    return {
      ...context,
      secrets: deriveSecrets(secretKey),
      database,
      queueBackend,
      queues,
      relay,
      sweep,
      workers,
      start() {
        relay.start();
        sweep.start();
        workers.start();
      },
      async close() {
        await queueBackend.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The infrastructure of a service of the distributed profile. */
export function connectDistributed(context: ProcessContext, config: DistributedConfig): Promise<Infrastructure> {
  return createInfrastructure(context, {
    stores: { kind: 'distributed', config },
    secretKey: config.secrets.secretKey,
    relay: config.relay,
    traced: isTraced(config.telemetry),
  });
}

/** Whether spans go anywhere: without an exporter jobs are not traced and cost nothing. */
export function isTraced({ tracesExporter, otlpEndpoint }: Config<'telemetry'>['telemetry']): boolean {
  return tracesExporter === undefined ? otlpEndpoint !== undefined : tracesExporter !== 'none';
}

async function openDatabase(stores: Stores, { name, logger, metrics }: ProcessContext): Promise<Database> {
  const database = await Database.open(databaseConnection(stores, name), {
    onConnectionLost: (error) => {
      metrics.inc('memory_llm_db_errors_total', { class: 'connection' });
      logger.debug('database_unavailable', { error });
    },
  });
  try {
    // Fails while the schema is missing: a service that starts before the migration waits for it.
    await database.ping();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function databaseConnection(stores: Stores, name: string): PgConnection {
  if (stores.kind === 'embedded')
    return { stream: stores.createStream, role: 'annals_app', poolSize: EMBEDDED_POOL_SIZE, prepared: true };
  const { url, poolSize, prepared } = stores.config.database;
  return { url, poolSize, prepared, applicationName: `annals-${name}` };
}

function queueConfig(stores: Stores): QueueBackendConfig {
  if (stores.kind === 'embedded') return { kind: 'postgres', pool: { stream: stores.createStream } };
  return { kind: 'redis', url: stores.config.redis.url, prefix: stores.config.queue.prefix };
}

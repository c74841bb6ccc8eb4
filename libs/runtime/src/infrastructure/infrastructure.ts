import type { Config } from '@annals/config';
import { queues as queueDefinitions, WORK_KINDS, type WorkJob } from '@annals/contracts';
import {
  type BreakerPolicy,
  type Coordination,
  createInProcessCoordination,
  createRedisCoordination,
  DEFAULT_BREAKER_POLICY,
} from '@annals/coordination';
import type { Rng } from '@annals/domain';
import {
  createQueueBackend,
  createQueueTelemetry,
  OutboxRelay,
  OutboxSweep,
  type QueueBackend,
  type QueueBackendConfig,
  type WorkQueues,
} from '@annals/messaging';
import {
  Database,
  DatabaseReadOnlyError,
  type DatabaseUnavailableError,
  LOCK_NOT_AVAILABLE,
  type PgConnection,
  PostgresWorkStore,
  sqlState,
  StatementEndedError,
} from '@annals/storage';
import { MaintenanceRunner } from '../maintenance/maintenance-runner.js';
import { createModelCalls } from '../model-calls/create-model-calls.js';
import type { ModelCalls } from '../model-calls/model-calls.js';
import type { ModelLimits } from '../model-calls/model-limits.js';
import { ProviderMonitor } from '../model-calls/provider-monitor.js';
import type { BudgetReconciler } from '../model-calls/reconciler.js';
import { deriveSecrets, type SecretKeys, type Secrets } from '../secrets/derive-secrets.js';
import { settleOrphanedRow } from '../work-job/settle-orphaned-row.js';
import { collectAppGauges } from '../minds/collect-app-gauges.js';
import { collectEnergyGauge } from '../minds/collect-energy-gauge.js';
import { collectStoreGauges } from './collect-store-gauges.js';
import type { ProcessContext } from './process-context.js';
import { WorkerRegistry } from './worker-registry.js';

/** Everything that a service is built on, the same in both profiles. Created by `createInfrastructure`. */
export interface Infrastructure extends ProcessContext {
  readonly secrets: Secrets;
  readonly database: Database;
  readonly queueBackend: QueueBackend;
  /** Producers of all kinds of work. */
  readonly queues: WorkQueues;
  /** `relay.kick()` after a commit that wrote a work row. */
  readonly relay: OutboxRelay;
  readonly sweep: OutboxSweep;
  /** Modules add their queue consumers here; they run from `start` on. */
  readonly workers: WorkerRegistry;
  /** Modules add their maintenance jobs here; they run from `start` on. */
  readonly maintenance: MaintenanceRunner;
  /** The coordination store; null when this process calls no remote model. */
  readonly coordination: Coordination | null;
  /** The entry point to remote models; null when this process calls none. */
  readonly modelCalls: ModelCalls | null;
  /** Reconciles the ledger and the budget counters; null without remote models. */
  readonly reconciler: BudgetReconciler | null;
  /** Monitors remote providers: modules register them by `providers.watch(provider)` while the application starts. */
  readonly providers: ProviderMonitor;
  /** Starts everything that runs in the background. Call it once every worker is registered. */
  start(): void;
  /** Closes queues, coordination and database. Stop what `start` has started before. */
  close(): Promise<void>;
}

/** The store of budgets, circuits and rates that all processes share. `in_process` is for a system of one process. */
export type CoordinationStore =
  { readonly kind: 'in_process' } | { readonly kind: 'redis'; readonly url: string; readonly prefix: string };

/** The stores of a service. */
export interface Stores {
  readonly database: PgConnection;
  readonly queue: QueueBackendConfig;
  /** Default: in this process. */
  readonly coordination?: CoordinationStore;
}

export interface InfrastructureOptions extends SecretKeys {
  readonly stores: Stores;
  readonly relay: Config<'relay'>['relay'];
  readonly traced: boolean;
  /** Limits of remote model calls; null or left out when this process makes none. */
  readonly models?: ModelLimits | null;
  /** Without it, this process asks for no work of minds. */
  readonly minds?: Config<'minds'>['minds'];
}

/**
 * Connects to the stores. Throws DatabaseUnavailableError while PostgreSQL is unreachable; Redis may be unreachable,
 * since the work stays in the outbox. The caller closes the returned infrastructure.
 */
export async function createInfrastructure(
  context: ProcessContext,
  { stores, relay: limits, traced, models = null, minds, ...keys }: InfrastructureOptions,
): Promise<Infrastructure> {
  const { clock, rng, metrics, logger } = context;
  const secrets = deriveSecrets(keys);
  const database = await openDatabase({ ...stores.database, chainKey: secrets.chain }, minds?.isOn ?? false, context);
  try {
    const queueBackend = await createQueueBackend(stores.queue, {
      logger,
      rng,
      ...(traced ? { telemetry: createQueueTelemetry() } : {}),
    });
    const queues = openQueues(queueBackend);
    const store = new PostgresWorkStore(database);
    const common = { store, queues, clock, rng, metrics, logger };
    const relay = new OutboxRelay({ ...common, limits: { perTenant: limits.releasePerTenant } });
    const sweep = new OutboxSweep({
      ...common,
      backend: queueBackend,
      kick: () => relay.kick(),
      onOrphaned: (row, state) => settleOrphanedRow({ database, store, relay, clock, logger, metrics }, row, state),
      limits: { sweepIntervalMs: limits.sweepIntervalMs, sweepAfterMs: limits.sweepAfterMs },
    });
    const workers = new WorkerRegistry(logger);
    const maintenance = new MaintenanceRunner({ ...context, database: database.forPath('bulk') });
    collectStoreGauges(metrics, { database, queueBackend, clock });
    if (minds) {
      collectEnergyGauge(metrics, { database, clock, minds });
      collectAppGauges(metrics, database);
    }
    const providers = new ProviderMonitor(context);
    const coordination =
      models && openCoordination(stores.coordination ?? { kind: 'in_process' }, { breaker: models.breaker, rng });
    const access =
      models &&
      coordination &&
      createModelCalls({
        ...context,
        database,
        coordination,
        limits: models,
        onAnswer: (provider, model) => providers.recordAnswer(provider, model),
      });
    return {
      ...context,
      secrets,
      database,
      queueBackend,
      queues,
      relay,
      sweep,
      workers,
      maintenance,
      coordination,
      modelCalls: access?.calls ?? null,
      reconciler: access?.reconciler ?? null,
      providers,
      start() {
        relay.start();
        sweep.start();
        workers.start();
        access?.reconciler.start();
        providers.start();
        maintenance.start();
      },
      async close() {
        await Promise.all([queueBackend.close(), coordination?.close()]);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The producers of all kinds of work, whichever this process consumes: its relay releases what any process asks for. */
function openQueues(backend: QueueBackend): WorkQueues {
  const opened = WORK_KINDS.map((kind) => [kind, backend.openQueue<WorkJob>(queueDefinitions[kind])] as const);
  return Object.fromEntries(opened) as WorkQueues;
}

async function openDatabase(
  connection: PgConnection,
  asksMinds: boolean,
  { logger, metrics }: ProcessContext,
): Promise<Database> {
  // A rate misses the first increment of a series that begins with it.
  for (const kind of ['connection', 'read_only', 'statement_ended', 'lock'] as const)
    metrics.add('memory_llm_db_errors_total', 0, { class: kind });
  const database = await Database.open(connection, {
    asksMinds,
    onConnectionLost: (error) => {
      metrics.inc('memory_llm_db_errors_total', { class: 'connection' });
      logger.debug('database_unavailable', { error });
    },
    onStatementFailed(error) {
      const kind = classifyDatabaseError(error);
      if (kind !== undefined) metrics.inc('memory_llm_db_errors_total', { class: kind });
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

/** The class of an error in the metric; undefined for lost connections, which their pool counts, and for conflicts. */
function classifyDatabaseError(error: DatabaseUnavailableError): 'read_only' | 'statement_ended' | 'lock' | undefined {
  if (error instanceof DatabaseReadOnlyError) return 'read_only';
  if (error instanceof StatementEndedError) return 'statement_ended';
  return sqlState(error.cause) === LOCK_NOT_AVAILABLE ? 'lock' : undefined;
}

/** Does not wait for the store: model calls wait while it is unreachable. */
export function openCoordination(
  store: CoordinationStore,
  { breaker, rng }: { readonly breaker: Partial<BreakerPolicy> | undefined; readonly rng: Rng },
): Coordination {
  const breakerPolicy = { ...DEFAULT_BREAKER_POLICY, ...breaker };
  if (store.kind === 'in_process') return createInProcessCoordination({ breakerPolicy });
  return createRedisCoordination({ redis: store.url, keyPrefix: store.prefix, breakerPolicy, rng });
}

import { WORK_DEFERRAL_REASONS } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { GaugeReading, Metrics } from '@annals/observability';
import type { QueueBackend } from '@annals/messaging';
import {
  type Database,
  isMigrationPending,
  measureWork,
  readDeferredBatchStats,
  readDeferredWork,
} from '@annals/storage';

const STORE_GAUGES = [
  'memory_llm_work_due',
  'memory_llm_work_scheduled',
  'memory_llm_work_in_flight',
  'memory_llm_work_failed',
  'memory_llm_work_oldest_due_ms',
  'memory_llm_work_oldest_in_flight_ms',
  'memory_llm_batches_deferred',
  'memory_llm_work_deferred',
  'memory_llm_migration_pending',
] as const;
type StoreReading = Extract<GaugeReading, { metric: (typeof STORE_GAUGES)[number] }>;

const DEFERRED_REASONS = ['budget_exceeded', 'circuit_open'] as const;

interface MeasuredStores {
  readonly database: Database;
  readonly queueBackend: QueueBackend;
  readonly clock: Clock;
}

/** Collects the load of the work, the state of both stores and the connection pool on each Prometheus scrape. */
export function collectStoreGauges(metrics: Metrics, { database, queueBackend, clock }: MeasuredStores): void {
  let storeRead: Promise<unknown> = Promise.resolve();
  metrics.collectGauges(STORE_GAUGES, () => {
    const readings = Promise.all([
      readWorkLoad(database, clock),
      readDeferred(database),
      readDeferredWorkGauge(database),
      readMigrationPending(database),
    ]);
    storeRead = readings.catch(() => undefined);
    return readings.then((each) => each.flat());
  });
  metrics.collectGauges(['memory_llm_redis_evicts_keys'], async () => {
    const policy = await queueBackend.readEvictionPolicy();
    if (policy === null) return [];
    return [{ metric: 'memory_llm_redis_evicts_keys', labels: {}, value: policy === 'noeviction' ? 0 : 1 }];
  });
  metrics.collectGauges(['memory_llm_db_pool_connections'], async () => {
    // After the other reads: the connection of the scrape itself would show as load at every scrape.
    await storeRead;
    const { total, idle, waiting } = database.poolStats;
    return [
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'active' }, value: total - idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'idle' }, value: idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'waiting' }, value: waiting },
    ];
  });
}

/** Every reason, also without deferred batches: an alert cannot distinguish a missing series from a failed scrape. */
async function readDeferred(database: Database): Promise<StoreReading[]> {
  const figures = await readDeferredBatchStats(database);
  return DEFERRED_REASONS.map((reason) => ({
    metric: 'memory_llm_batches_deferred',
    labels: { reason },
    value: figures.find((figure) => figure.reason === reason)?.batches ?? 0,
  }));
}

async function readDeferredWorkGauge(database: Database): Promise<StoreReading[]> {
  const counts = await readDeferredWork(database);
  return WORK_DEFERRAL_REASONS.map((reason) => ({
    metric: 'memory_llm_work_deferred',
    labels: { reason },
    value: counts.get(reason) ?? 0,
  }));
}

/** Every queue, also one with nothing on it. */
async function readWorkLoad(database: Database, clock: Clock): Promise<StoreReading[]> {
  const loads = await measureWork(database, clock.now());
  return loads.flatMap(({ kind: queue, ...load }): StoreReading[] => [
    { metric: 'memory_llm_work_due', labels: { queue }, value: load.due },
    { metric: 'memory_llm_work_scheduled', labels: { queue }, value: load.scheduled },
    { metric: 'memory_llm_work_in_flight', labels: { queue }, value: load.inFlight },
    { metric: 'memory_llm_work_failed', labels: { queue }, value: load.failed },
    { metric: 'memory_llm_work_oldest_due_ms', labels: { queue }, value: load.oldestDueMs },
    { metric: 'memory_llm_work_oldest_in_flight_ms', labels: { queue }, value: load.oldestInFlightMs },
  ]);
}

async function readMigrationPending(database: Database): Promise<StoreReading[]> {
  const isPending = await isMigrationPending(database);
  return [{ metric: 'memory_llm_migration_pending', labels: {}, value: isPending ? 1 : 0 }];
}

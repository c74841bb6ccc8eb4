import { WORK_DEFERRAL_REASONS, WORK_KINDS } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import type { GaugeReading, Metrics } from '@annals/observability';
import { type Database, readDeferredBatchStats, readDeferredWork, readWorkDepth } from '@annals/storage';

const STORE_GAUGES = [
  'memory_llm_outbox_waiting',
  'memory_llm_work_scheduled',
  'memory_llm_outbox_in_flight',
  'memory_llm_work_failed',
  'memory_llm_batches_deferred',
  'memory_llm_work_deferred',
] as const;
type StoreReading = Extract<GaugeReading, { metric: (typeof STORE_GAUGES)[number] }>;

const DEFERRED_REASONS = ['budget_exceeded', 'circuit_open'] as const;

/** Collects waiting, scheduled, in-flight and deferred work and the connection pool on each Prometheus scrape. */
export function collectStoreGauges(metrics: Metrics, database: Database, clock: Clock): void {
  let storeRead: Promise<unknown> = Promise.resolve();
  metrics.collectGauges(STORE_GAUGES, () => {
    const readings = Promise.all([readDepth(database, clock), readDeferred(database), readDeferredWorkGauge(database)]);
    storeRead = readings.catch(() => undefined);
    return readings.then((each) => each.flat());
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
async function readDepth(database: Database, clock: Clock): Promise<StoreReading[]> {
  const depths = await readWorkDepth(database, clock.now());
  return WORK_KINDS.flatMap((queue): StoreReading[] => {
    const depth = depths.find(({ kind }) => kind === queue) ?? { waiting: 0, scheduled: 0, inFlight: 0, failed: 0 };
    return [
      { metric: 'memory_llm_outbox_waiting', labels: { queue }, value: depth.waiting },
      { metric: 'memory_llm_work_scheduled', labels: { queue }, value: depth.scheduled },
      { metric: 'memory_llm_outbox_in_flight', labels: { queue }, value: depth.inFlight },
      { metric: 'memory_llm_work_failed', labels: { queue }, value: depth.failed },
    ];
  });
}

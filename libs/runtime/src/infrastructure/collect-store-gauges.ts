import { QUEUE_NAMES } from '@annals/contracts';
import type { GaugeReading, Metrics } from '@annals/observability';
import { type Database, outboxDepth } from '@annals/storage';

type OutboxGauge = 'memory_llm_outbox_waiting' | 'memory_llm_outbox_in_flight';
type OutboxReading = Extract<GaugeReading, { metric: OutboxGauge }>;

/** Reads what waits, what is in flight, and the connection pool, when Prometheus asks. */
export function collectStoreGauges(metrics: Metrics, database: Database): void {
  let depthsRead: Promise<unknown> = Promise.resolve();
  metrics.collectGauges(['memory_llm_outbox_waiting', 'memory_llm_outbox_in_flight'], () => {
    const reading = readOutbox(database);
    depthsRead = reading.catch(() => undefined);
    return reading;
  });
  metrics.collectGauges(['memory_llm_db_pool_connections'], async () => {
    // The connection that the scrape itself takes would show as load, at every scrape.
    await depthsRead;
    const { total, idle, waiting } = database.poolStats;
    return [
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'active' }, value: total - idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'idle' }, value: idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'waiting' }, value: waiting },
    ];
  });
}

/** Every queue, also one with nothing on it: an alert cannot tell a series that is gone from a scrape that failed. */
async function readOutbox(database: Database): Promise<OutboxReading[]> {
  const depths = await outboxDepth(database);
  return QUEUE_NAMES.flatMap((queue): OutboxReading[] => {
    const { waiting, inFlight } = depths.find((depth) => depth.queue === queue) ?? { waiting: 0, inFlight: 0 };
    return [
      { metric: 'memory_llm_outbox_waiting', labels: { queue }, value: waiting },
      { metric: 'memory_llm_outbox_in_flight', labels: { queue }, value: inFlight },
    ];
  });
}

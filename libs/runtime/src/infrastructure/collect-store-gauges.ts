import type { GaugeReading, Metrics } from '@annals/observability';
import { type Database, outboxDepth } from '@annals/storage';

type OutboxGauge = 'memory_llm_outbox_waiting' | 'memory_llm_outbox_in_flight';

/** Reads what waits, what is in flight, and the connection pool, when Prometheus asks. */
export function collectStoreGauges(metrics: Metrics, database: Database): void {
  metrics.collectGauges(['memory_llm_outbox_waiting', 'memory_llm_outbox_in_flight'], async () => {
    const depths = await outboxDepth(database);
    return depths.flatMap(({ queue, waiting, inFlight }): Extract<GaugeReading, { metric: OutboxGauge }>[] => [
      { metric: 'memory_llm_outbox_waiting', labels: { queue }, value: waiting },
      { metric: 'memory_llm_outbox_in_flight', labels: { queue }, value: inFlight },
    ]);
  });
  metrics.collectGauges(['memory_llm_db_pool_connections'], async () => {
    const { total, idle, waiting } = database.poolStats;
    return [
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'active' }, value: total - idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'idle' }, value: idle },
      { metric: 'memory_llm_db_pool_connections', labels: { state: 'waiting' }, value: waiting },
    ];
  });
}

import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';
import { PostgresBackend } from './postgres-backend.js';
import type { QueueBackend, QueueBackendConfig, QueueBackendDependencies } from './queue-backend.js';
import { RedisBackend } from './redis-backend.js';

/** Does not wait for Redis; on PostgreSQL it runs the migrations of BullMQ's tables first. */
export async function createQueueBackend(
  config: QueueBackendConfig,
  deps: QueueBackendDependencies,
): Promise<QueueBackend> {
  return config.kind === 'redis' ? new RedisBackend(config, deps) : PostgresBackend.open(config, deps);
}

/** Spans for workers, under the tracer provider that the process registered. */
export function createQueueTelemetry(): Telemetry {
  return new BullMQOtel({ tracerName: 'annals' });
}

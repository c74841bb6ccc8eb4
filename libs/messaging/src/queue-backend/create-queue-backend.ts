import { PostgresBackend } from './postgres-backend.js';
import type { QueueBackend, QueueBackendConfig, QueueBackendDependencies } from './queue-backend.js';
import { RedisBackend } from './redis-backend.js';

/**
 * Opens the queue. On Redis it does not wait for the server; on PostgreSQL it runs the migrations of BullMQ's tables
 * first.
 */
export async function createQueueBackend(
  config: QueueBackendConfig,
  deps: QueueBackendDependencies,
): Promise<QueueBackend> {
  return config.kind === 'redis' ? new RedisBackend(config, deps) : PostgresBackend.open(config, deps);
}

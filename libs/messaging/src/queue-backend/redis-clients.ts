import type { Rng } from '@annals/domain';
import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';

const CONNECT_TIMEOUT_MS = 5_000;
const INITIAL_RECONNECT_DELAY_MS = 50;
const MAX_RECONNECT_DELAY_MS = 2_000;

/** Waiting time before reconnect number `attempt` (from 1): doubles up to 2 s, the upper half of it by chance. */
export function computeReconnectDelayMs(attempt: number, rng: Rng): number {
  const maxMs = Math.min(INITIAL_RECONNECT_DELAY_MS * 2 ** Math.min(attempt - 1, 10), MAX_RECONNECT_DELAY_MS);
  return Math.round(maxMs * (0.5 + rng.nextFloat() / 2));
}

function commonOptions(rng: Rng): RedisOptions {
  return {
    retryStrategy: (attempt) => computeReconnectDelayMs(attempt, rng),
    // After a failover the old primary answers READONLY: reconnect and send the command again.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
}

/** Fails at once while Redis is gone: whoever adds a job has a row in the outbox and must not wait. */
export function createProducerClient(url: string, rng: Rng, commandTimeoutMs: number): Redis {
  return new Redis(url, {
    ...commonOptions(rng),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
  });
}

/** Waits for Redis however long it takes: a worker has nothing else to do. */
export function createWorkerClient(url: string, rng: Rng): Redis {
  return new Redis(url, { ...commonOptions(rng), maxRetriesPerRequest: null });
}

/** Resolves when `client` is connected; fails with its next error, or at once while it waits to try again. */
export async function waitForConnection(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status === 'reconnecting' || client.status === 'end') throw new Error('There is no connection.');
  await once(client, 'ready', { signal: AbortSignal.timeout(client.options.connectTimeout ?? CONNECT_TIMEOUT_MS) });
}

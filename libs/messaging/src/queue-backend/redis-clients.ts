import { computeRetryDelayMs, type Rng } from '@annals/domain';
import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection is silent when it owes an answer for this long: then its server is gone, and it is opened anew. */
const SILENCE_FACTOR = 2;
/** Longer than BullMQ blocks a connection of a worker: ten seconds. */
const WORKER_SILENCE_MS = 15_000;
const RECONNECT_DELAY = { firstMs: 50, maxMs: 2_000, jitter: 0.5 };

/** Delay in ms before reconnect number `attempt` (from 1): doubles up to 2 s, with random jitter in its upper half. */
export function computeReconnectDelayMs(attempt: number, rng: Rng): number {
  return Math.round(computeRetryDelayMs(RECONNECT_DELAY, attempt - 1, rng));
}

function commonOptions(rng: Rng): RedisOptions {
  return {
    retryStrategy: (attempt) => computeReconnectDelayMs(attempt, rng),
    // After a failover the old primary answers READONLY: reconnect and send the command again.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
}

/** Fails immediately while Redis is down: the work of a producer is in the outbox, so it must not wait. */
export function createProducerClient(url: string, rng: Rng, commandTimeoutMs: number): Redis {
  return corkCommands(
    new Redis(url, {
      ...commonOptions(rng),
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: commandTimeoutMs,
      socketTimeout: commandTimeoutMs * SILENCE_FACTOR,
    }),
  );
}

/** Waits for Redis without limit: a worker has nothing else to do. */
export function createWorkerClient(url: string, rng: Rng): Redis {
  return corkCommands(
    new Redis(url, { ...commonOptions(rng), maxRetriesPerRequest: null, socketTimeout: WORKER_SILENCE_MS }),
  );
}

/**
 * Sends all commands that are written until the end of the running task and its promises in one write: jobs of a group
 * end together, and a system call each costs more than their bytes.
 */
function corkCommands(client: Redis): Redis {
  return client.on('connect', () => {
    const { stream } = client;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]) => {
      if (stream.writableCorked === 0) {
        stream.cork();
        process.nextTick(() => stream.uncork());
      }
      return write(...args);
    };
  });
}

/** Resolves when `client` is connected; rejects with its next error, or immediately while it waits to reconnect. */
export async function waitForConnection(client: Redis): Promise<void> {
  if (client.status === 'ready') return;
  if (client.status === 'reconnecting' || client.status === 'end') throw new Error('Redis is not connected.');
  await once(client, 'ready', { signal: AbortSignal.timeout(client.options.connectTimeout ?? CONNECT_TIMEOUT_MS) });
}

import type { QueueDefinition } from '@annals/contracts';
import type { Rng } from '@annals/domain';
import type { Logger } from '@annals/observability';
import type { Job, Telemetry, Worker, WorkerOptions } from 'bullmq';
import type { PoolConfig } from 'pg';
import type { JobQueue } from '../job-queue/job-queue.js';

export interface RedisBackendConfig {
  readonly kind: 'redis';
  readonly url: string;
  /** Prefix of every key. It gets a hash tag (`{annals}`), so that Redis Cluster stores all keys on one node. */
  readonly prefix: string;
}

export interface PostgresBackendConfig {
  readonly kind: 'postgres';
  /** Options of the backend's own connection pool; a `stream` factory connects to the embedded database. */
  readonly pool: PoolConfig;
}

export type QueueBackendConfig = RedisBackendConfig | PostgresBackendConfig;

export interface QueueBackendDependencies {
  readonly logger: Logger;
  /** Jitter of reconnects. */
  readonly rng?: Rng;
  /** Spans of workers; see `createQueueTelemetry`. Without it jobs are not traced, at no cost. */
  readonly telemetry?: Telemetry;
  /** Timeout of one queue operation, in ms. */
  readonly operationTimeoutMs?: number;
}

/** Identifies the data of the queue: after a loss of data it is another one. */
export interface QueueEpoch {
  readonly id: string;
  /** True for the one caller that found no epoch and wrote it: the data are new or were lost. */
  readonly created: boolean;
}

export type QueueProcessor = (job: Job, token?: string) => Promise<void>;
export type QueueWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix' | 'telemetry' | 'autorun'>;

/** Connection to the store of the jobs, the same for Redis and PostgreSQL. */
export interface QueueBackend {
  readonly kind: QueueBackendConfig['kind'];
  /** The producer of a queue. Returns the same object when called again. */
  openQueue<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload>;
  /** A bare consumer that does not run yet; `JobWorker` is what applications use. */
  createWorker(queueName: string, processor: QueueProcessor, options: QueueWorkerOptions): Worker;
  /** @throws QueueUnavailableError when the queue does not answer. */
  ping(): Promise<void>;
  /** @throws QueueUnavailableError when the queue does not answer. */
  readEpoch(): Promise<QueueEpoch>;
  /** What Redis does when its memory is full, such as `noeviction`; null on PostgreSQL. */
  readEvictionPolicy(): Promise<string | null>;
  /** Calls `listener` each time the queue is reachable again after an outage. Returns a function that removes it. */
  onRecovered(listener: () => void): () => void;
  /** Closes queues and connections; close workers first. */
  close(): Promise<void>;
}

import type { QueueDefinition } from '@annals/contracts';
import type { Rng } from '@annals/domain';
import type { Logger } from '@annals/observability';
import type { Job, Telemetry, Worker, WorkerOptions } from 'bullmq';
import type { PoolConfig } from 'pg';
import type { JobQueue } from '../job-queue/job-queue.js';

export interface RedisBackendConfig {
  readonly kind: 'redis';
  readonly url: string;
  /** Stands before every key. Given a hash tag (`{annals}`), so that Redis Cluster keeps all of it on one node. */
  readonly prefix: string;
}

export interface PostgresBackendConfig {
  readonly kind: 'postgres';
  /** Where to connect. The pool is the backend's own; a `stream` factory reaches the embedded database. */
  readonly pool: PoolConfig;
}

export type QueueBackendConfig = RedisBackendConfig | PostgresBackendConfig;

export interface QueueBackendDependencies {
  readonly logger: Logger;
  /** Spreads reconnects. */
  readonly rng?: Rng;
  /** Spans of workers; see `createQueueTelemetry`. Without it jobs are not traced and cost nothing. */
  readonly telemetry?: Telemetry;
  /** Longest time one question to the queue may take. */
  readonly operationTimeoutMs?: number;
}

/** What tells one life of the queue's data from another. */
export interface QueueEpoch {
  readonly id: string;
  /** True for the one caller that found no epoch and wrote it: the data are new, or gone. */
  readonly created: boolean;
}

export type QueueProcessor = (job: Job, token?: string) => Promise<void>;
export type QueueWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix' | 'telemetry' | 'autorun'>;

/** One connection to the place where jobs wait, the same for Redis and PostgreSQL. */
export interface QueueBackend {
  readonly kind: QueueBackendConfig['kind'];
  /** The producer of a queue. Opened twice it is the same object. */
  openQueue<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload>;
  /** A bare consumer that does not run yet; `JobWorker` is what applications use. */
  createWorker(queueName: string, processor: QueueProcessor, options: QueueWorkerOptions): Worker;
  /** @throws QueueUnavailableError when the queue does not answer. */
  ping(): Promise<void>;
  /** @throws QueueUnavailableError when the queue does not answer. */
  readEpoch(): Promise<QueueEpoch>;
  /** Calls `listener` each time the queue answers again after an outage. Answers how to stop that. */
  onRecovered(listener: () => void): () => void;
  /** Closes queues and connections; close workers first. */
  close(): Promise<void>;
}

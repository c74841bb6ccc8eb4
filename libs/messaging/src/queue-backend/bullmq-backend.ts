import type { QueueDefinition } from '@annals/contracts';
import type { Logger } from '@annals/observability';
import type { Queue, Worker, WorkerOptions } from 'bullmq';
import { JobQueue } from '../job-queue/job-queue.js';
import type {
  QueueBackend,
  QueueBackendDependencies,
  QueueEpoch,
  QueueProcessor,
  QueueWorkerOptions,
} from './queue-backend.js';
import { type OutageTracker, QueueGuard } from './queue-guard.js';

/** Default timeout of one queue operation, in ms. */
export const DEFAULT_OPERATION_TIMEOUT_MS = 5_000;

/** What BullMQ on Redis and on PostgreSQL have in common. */
export abstract class BullMQBackend implements QueueBackend {
  abstract readonly kind: QueueBackend['kind'];
  protected readonly guard: QueueGuard;
  private readonly queues = new Map<string, JobQueue<never>>();

  /** `connected`: see `QueueGuard`. */
  constructor(
    protected readonly deps: QueueBackendDependencies,
    protected readonly tracker: OutageTracker,
    connected?: () => Promise<void>,
  ) {
    this.guard = new QueueGuard(tracker, deps.operationTimeoutMs ?? DEFAULT_OPERATION_TIMEOUT_MS, connected);
  }

  protected abstract createProducer(name: string): Queue;
  protected abstract openWorker(
    queueName: string,
    processor: QueueProcessor,
    options: Omit<WorkerOptions, 'connection'>,
  ): Worker;
  protected abstract disconnect(): Promise<void>;
  abstract readEvictionPolicy(): Promise<string | null>;
  abstract ping(): Promise<void>;
  abstract readEpoch(): Promise<QueueEpoch>;

  openQueue<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload> {
    const known = this.queues.get(definition.name);
    if (known) return known as unknown as JobQueue<Payload>;
    const producer = this.createProducer(definition.name);
    producer.on('error', (error) => this.tracker.reportDown('producer', error));
    const queue = new JobQueue(definition, producer, this.guard);
    this.queues.set(definition.name, queue as unknown as JobQueue<never>);
    return queue;
  }

  createWorker(queueName: string, processor: QueueProcessor, options: QueueWorkerOptions): Worker {
    const { telemetry, logger } = this.deps;
    // BullMQ waits 15 s after a failed fetch; a restarted server is back within a second.
    const all = { runRetryDelay: 1_000, ...options, ...(telemetry && { telemetry }), autorun: false };
    const worker = this.openWorker(queueName, processor, all);
    // Connections report to the tracker themselves; without a listener an 'error' event would end the process.
    worker.on('error', (error) => reportWorkerError(logger, error));
    return worker;
  }

  onRecovered(listener: () => void): () => void {
    return this.tracker.onRecovered(listener);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.bull.close()));
    this.queues.clear();
    await this.disconnect();
  }
}

const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** SQLSTATE classes "connection exception" and "operator intervention: shutdown". */
const SQL_STATES = /^(?:08...|57P0.)$/;
const MESSAGES = /^(?:Connection (?:is closed|terminated)|Socket timeout)/;
/** Comes with the event `lockRenewalFailed`, which the worker reports. */
const LOCK_NOT_RENEWED = /^could not renew lock/;

function isConnectionFailure(error: Error & { readonly code?: unknown }): boolean {
  const code = typeof error.code === 'string' ? error.code : '';
  return SOCKET_CODES.has(code) || SQL_STATES.test(code) || MESSAGES.test(error.message);
}

/**
 * Logs the 'error' event of a BullMQ worker. A lost connection is logged once by the outage tracker, and a lost lock by
 * the worker; here, where every connection and every retry repeats it, it is logged at debug.
 */
export function reportWorkerError(logger: Logger, error: Error): void {
  const isReported = isConnectionFailure(error) || LOCK_NOT_RENEWED.test(error.message);
  const level = isReported ? 'debug' : 'warn';
  logger[level]('framework_error', { source: 'bullmq', error });
}

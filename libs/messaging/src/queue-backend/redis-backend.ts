import type { QueueDefinition } from '@annals/contracts';
import { readSystemRandomBytes, SystemRng } from '@annals/domain';
import { createRedisBackend, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { JobQueue } from '../job-queue/job-queue.js';
import { OutageTracker } from './outage-tracker.js';
import type {
  QueueBackend,
  QueueBackendDependencies,
  QueueEpoch,
  QueueProcessor,
  QueueWorkerOptions,
  RedisBackendConfig,
} from './queue-backend.js';
import { QueueGuard } from './queue-guard.js';
import { QueueRegistry } from './queue-registry.js';
import { createProducerClient, createWorkerClient, waitForConnection } from './redis-clients.js';
import { reportWorkerError } from './report-worker-error.js';
import { DEFAULT_OPERATION_TIMEOUT_MS, workerDefaults } from './worker-defaults.js';

/**
 * BullMQ on Redis or Valkey: one connection for producers, one shared by all workers, and one blocking connection per
 * worker.
 */
export class RedisBackend implements QueueBackend {
  readonly kind = 'redis';
  private readonly prefix: string;
  private readonly tracker: OutageTracker;
  private readonly guard: QueueGuard;
  private readonly producer: Redis;
  private readonly registry: QueueRegistry;
  private workerClient?: Redis;

  constructor(
    private readonly config: RedisBackendConfig,
    private readonly deps: QueueBackendDependencies,
  ) {
    const timeoutMs = deps.operationTimeoutMs ?? DEFAULT_OPERATION_TIMEOUT_MS;
    this.prefix = toHashTag(config.prefix);
    this.tracker = new OutageTracker(deps.logger);
    this.producer = createProducerClient(config.url, this.rng, timeoutMs);
    this.guard = new QueueGuard(this.tracker, timeoutMs, () => waitForConnection(this.producer));
    this.watch('producer', this.producer);
    this.registry = new QueueRegistry((name) => this.createProducer(name), this.guard);
  }

  openQueue<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload> {
    return this.registry.open(definition);
  }

  createWorker(queueName: string, processor: QueueProcessor, options: QueueWorkerOptions): Worker {
    this.workerClient ??= this.openWorkerClient();
    const connection = this.workerClient;
    const { telemetry, logger } = this.deps;
    const all = { ...workerDefaults, ...options, connection, prefix: this.prefix, telemetry, autorun: false };
    const worker = new Worker(queueName, processor, all, createRedisBackend);
    // Connections report to the tracker themselves; without a listener an 'error' event would end the process.
    worker.on('error', (error) => reportWorkerError(logger, error));
    return worker;
  }

  async ping(): Promise<void> {
    await this.guard.run('ping', () => this.producer.ping());
  }

  readEpoch(): Promise<QueueEpoch> {
    const key = `${this.prefix}:epoch`;
    return this.guard.run('read the epoch', async () => {
      const known = await this.producer.get(key);
      if (known !== null) return { id: known, created: false };
      const id = Buffer.from(readSystemRandomBytes(16)).toString('hex');
      const created = (await this.producer.set(key, id, 'NX')) === 'OK';
      return { id: created ? id : ((await this.producer.get(key)) ?? id), created };
    });
  }

  onRecovered(listener: () => void): () => void {
    return this.tracker.onRecovered(listener);
  }

  async close(): Promise<void> {
    await this.registry.close();
    this.producer.disconnect();
    this.workerClient?.disconnect();
  }

  private get rng() {
    return this.deps.rng ?? new SystemRng();
  }

  private createProducer(name: string): Queue {
    const queue = new Queue(
      name,
      // Neither option waits for Redis: a process that only accepts work starts while Redis is down.
      { connection: this.producer, prefix: this.prefix, skipWaitingForReady: true, skipVersionCheck: true },
      createRedisBackend,
    );
    queue.on('error', (error) => this.tracker.reportDown('producer', error));
    return queue;
  }

  private openWorkerClient(): Redis {
    const client = createWorkerClient(this.config.url, this.rng);
    this.watch('worker', client);
    return client;
  }

  private watch(source: string, client: Redis): void {
    client.on('error', (error: unknown) => this.tracker.reportDown(source, error));
    // A server that shuts down gracefully closes the connection without an error.
    client.on('reconnecting', () => this.tracker.reportDown(source, new Error('The connection was closed.')));
    client.on('ready', () => this.tracker.reportUp(source));
  }
}

function toHashTag(prefix: string): string {
  return /\{[^{}]+\}/.test(prefix) ? prefix : `{${prefix}}`;
}

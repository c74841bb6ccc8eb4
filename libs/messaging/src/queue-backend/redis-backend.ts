import { readSystemRandomBytes, type Rng, SystemRng } from '@annals/domain';
import { createRedisBackend, Queue, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { BullMQBackend, DEFAULT_OPERATION_TIMEOUT_MS } from './bullmq-backend.js';
import type { QueueBackendDependencies, QueueEpoch, QueueProcessor, RedisBackendConfig } from './queue-backend.js';
import { OutageTracker } from './queue-guard.js';
import { createProducerClient, createWorkerClient, waitForConnection } from './redis-clients.js';

/** One connection for producers, one shared by all workers, and one blocking connection per worker. */
export class RedisBackend extends BullMQBackend {
  readonly kind = 'redis';
  private readonly prefix: string;
  private readonly rng: Rng;
  private readonly producer: Redis;
  private workerClient?: Redis;

  constructor(
    private readonly config: RedisBackendConfig,
    deps: QueueBackendDependencies,
  ) {
    const rng = deps.rng ?? new SystemRng();
    const producer = createProducerClient(config.url, rng, deps.operationTimeoutMs ?? DEFAULT_OPERATION_TIMEOUT_MS);
    super(deps, new OutageTracker(deps.logger), () => waitForConnection(producer));
    this.prefix = toHashTag(config.prefix);
    this.rng = rng;
    this.producer = producer;
    this.watch('producer', producer);
  }

  async ping(): Promise<void> {
    await this.guard.run('ping', () => this.producer.ping());
  }

  async readEvictionPolicy(): Promise<string | null> {
    // Managed servers refuse CONFIG, so INFO is asked.
    const memory = await this.guard.run('read the eviction policy', () => this.producer.info('memory'));
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? null;
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

  protected createProducer(name: string): Queue {
    return new Queue(
      name,
      // Neither option waits for Redis: a process that only accepts work starts while Redis is down.
      { connection: this.producer, prefix: this.prefix, skipWaitingForReady: true, skipVersionCheck: true },
      createRedisBackend,
    );
  }

  protected openWorker(name: string, processor: QueueProcessor, options: Omit<WorkerOptions, 'connection'>): Worker {
    this.workerClient ??= this.openWorkerClient();
    const all = { ...options, connection: this.workerClient, prefix: this.prefix };
    return new Worker(name, processor, all, createRedisBackend);
  }

  protected async disconnect(): Promise<void> {
    this.producer.disconnect();
    this.workerClient?.disconnect();
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

import type { QueueDefinition } from '@annals/contracts';
import type { Queue } from 'bullmq';
import { JobQueue } from '../job-queue/job-queue.js';
import type { QueueGuard } from './queue-guard.js';

/** Opens each queue once and closes them together. */
export class QueueRegistry {
  private readonly queues = new Map<string, JobQueue<never>>();

  constructor(
    private readonly createProducer: (name: string) => Queue,
    private readonly guard: QueueGuard,
  ) {}

  open<Payload>(definition: QueueDefinition<string, Payload>): JobQueue<Payload> {
    const known = this.queues.get(definition.name);
    if (known) return known as unknown as JobQueue<Payload>;
    const queue = new JobQueue(definition, this.createProducer(definition.name), this.guard);
    this.queues.set(definition.name, queue as unknown as JobQueue<never>);
    return queue;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.bull.close()));
    this.queues.clear();
  }
}

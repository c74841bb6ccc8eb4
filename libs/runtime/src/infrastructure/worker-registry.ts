import type { WorkKind } from '@annals/contracts';
import { assertHandlers } from '@annals/messaging';
import type { Logger } from '@annals/observability';

/** What the registry requires of a queue consumer, such as JobWorker of messaging. */
export interface RegisteredWorker {
  readonly queue: string;
  /** Resolves once jobs are taken, however long the queue is unreachable. */
  start(): Promise<void>;
  /** Takes no further job; running jobs have `timeoutMs` to finish before they are returned to the queue. */
  close(options: { timeoutMs: number }): Promise<void>;
}

/** The consumers of a process, so that they start together and stop together. */
export class WorkerRegistry {
  private readonly workers: RegisteredWorker[] = [];

  constructor(private readonly logger: Logger) {}

  add(worker: RegisteredWorker): void {
    this.workers.push(worker);
  }

  /** Throws unless exactly these queues have a worker, one each. */
  requireWorkers(queues: readonly WorkKind[]): void {
    assertHandlers(
      queues,
      this.workers.map((worker) => ({ queue: worker.queue, handler: worker.constructor.name })),
    );
  }

  /** Does not wait: a service runs while its queue is unreachable, and its readiness reports it. */
  start(): void {
    for (const worker of this.workers) {
      worker.start().catch((error: unknown) => this.logger.error('service_failed', { stage: worker.queue, error }));
    }
  }

  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close({ timeoutMs })));
  }
}

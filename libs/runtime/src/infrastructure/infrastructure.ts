import type { OutboxQueues, OutboxRelay, OutboxSweep, QueueBackend } from '@annals/messaging';
import type { Database } from '@annals/storage';
import type { Secrets } from '../secrets/derive-secrets.js';
import type { ProcessContext } from './process-context.js';
import type { WorkerRegistry } from './worker-registry.js';

/** Everything a service stands on, the same in both profiles. Made by `createInfrastructure`. */
export interface Infrastructure extends ProcessContext {
  readonly secrets: Secrets;
  readonly database: Database;
  readonly queueBackend: QueueBackend;
  /** Producers by queue name. */
  readonly queues: OutboxQueues;
  /** `relay.kick()` after a commit that wrote an outbox row. */
  readonly relay: OutboxRelay;
  readonly sweep: OutboxSweep;
  /** Modules put their queue consumers here; they run from `start` on. */
  readonly workers: WorkerRegistry;
  /** Starts relay, sweep and workers: call it once every worker is registered. */
  start(): void;
  /** Closes queues and database; stop workers, relay and sweep first. */
  close(): Promise<void>;
}

import type { Coordination } from '@annals/coordination';
import type { OutboxQueues, OutboxRelay, OutboxSweep, QueueBackend } from '@annals/messaging';
import type { Database } from '@annals/storage';
import type { MaintenanceRunner } from '../maintenance/maintenance-runner.js';
import type { ModelCalls } from '../model-calls/model-calls.js';
import type { ProviderMonitor } from '../model-calls/provider-monitor.js';
import type { BudgetReconciler } from '../model-calls/reconciler.js';
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
  /** Modules put the jobs here that are run from time to time; they run from `start` on. */
  readonly maintenance: MaintenanceRunner;
  /** What processes agree by before a model is called; null when this one calls no remote model. */
  readonly coordination: Coordination | null;
  /** The entry point to remote models; null when this process calls none. */
  readonly modelCalls: ModelCalls | null;
  /** Keeps ledger and counters of money together; null without remote models. */
  readonly reconciler: BudgetReconciler | null;
  /** Looks after remote providers: modules say which by `providers.watch(provider)` while the application starts. */
  readonly providers: ProviderMonitor;
  /** Starts relay, sweep, workers, maintenance and what watches over models: call it once every worker is registered. */
  start(): void;
  /** Closes queues, coordination and database; stop workers, relay, sweep, maintenance, reconciler and monitor first. */
  close(): Promise<void>;
}

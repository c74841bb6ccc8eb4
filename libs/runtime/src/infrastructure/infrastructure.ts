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

/** Everything that a service is built on, the same in both profiles. Created by `createInfrastructure`. */
export interface Infrastructure extends ProcessContext {
  readonly secrets: Secrets;
  readonly database: Database;
  readonly queueBackend: QueueBackend;
  /** Producers by queue name. */
  readonly queues: OutboxQueues;
  /** `relay.kick()` after a commit that wrote an outbox row. */
  readonly relay: OutboxRelay;
  readonly sweep: OutboxSweep;
  /** Modules add their queue consumers here; they run from `start` on. */
  readonly workers: WorkerRegistry;
  /** Modules add their maintenance jobs here; they run from `start` on. */
  readonly maintenance: MaintenanceRunner;
  /** The coordination store; null when this process calls no remote model. */
  readonly coordination: Coordination | null;
  /** The entry point to remote models; null when this process calls none. */
  readonly modelCalls: ModelCalls | null;
  /** Reconciles the ledger and the budget counters; null without remote models. */
  readonly reconciler: BudgetReconciler | null;
  /** Monitors remote providers: modules register them by `providers.watch(provider)` while the application starts. */
  readonly providers: ProviderMonitor;
  /**
   * Starts relay, sweep, workers, maintenance, reconciler and provider monitor. Call it once every worker is
   * registered.
   */
  start(): void;
  /**
   * Closes queues, coordination and database. Stop workers, relay, sweep, maintenance, reconciler and monitor before.
   */
  close(): Promise<void>;
}

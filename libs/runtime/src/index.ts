/**
 * The common base of every service; apps contain only what is specific to them.
 *
 *   const config = loadConfigOrExit([...DISTRIBUTED_FRAGMENTS, 'workers', 'llm']);
 *   const context = createProcessContext({ name: 'extraction', version, logLevel: config.logging.level });
 *   await runService({
 *     context, config, modules: [ExtractionModule.forRoot(...)], consumes: ['extraction'], queueNeed: 'required',
 *     listenAddress: { host: config.http.host, port: config.workers.healthPort, portVariable: 'ANNALS_HEALTH_PORT' },
 *     shutdownTimeoutMs: config.lifecycle.shutdownTimeoutMs,
 *     connect: (context) => connectDistributed(context, config),
 *   });
 *
 * `runService` waits for PostgreSQL behind a startup server that responds with 503, then builds one Nest application
 * out of InfrastructureModule (the tokens below), OperationsModule (health and metrics, marked `@Public()`) and the
 * given modules, starts relay, sweep and workers, listens, and shuts down in order on a signal. `startService` is the
 * same without signal handlers and process exit, for tests and for processes that combine services.
 *
 * A module injects what it needs: `@Inject(DATABASE) database: Database`, `@Inject(CONFIG) config: Config<'batching'>`.
 * A module with a consumer calls `workers.add(createBatchWorker(infrastructure, stage))` (token WORKERS) while the
 * application starts; `createBatchWorker` claims the batch, renews its lease and fails it when the job is exhausted.
 */
export { deriveSecrets, type Secrets } from './secrets/derive-secrets.js';
export {
  createProcessContext,
  type ProcessContext,
  type ProcessContextOptions,
  readVersion,
} from './infrastructure/process-context.js';
export type { Infrastructure } from './infrastructure/infrastructure.js';
export {
  createInfrastructure,
  type InfrastructureOptions,
  type Stores,
} from './infrastructure/create-infrastructure.js';
export {
  connectDistributed,
  DISTRIBUTED_FRAGMENTS,
  type DistributedConfig,
  embeddedStores,
  isTraced,
} from './infrastructure/stores.js';
/** Thrown by `ModelCalls.run` while the coordination store is unreachable. */
export { type CircuitStatus, CoordinationUnavailableError } from '@annals/coordination';
export type {
  AnsweredCall,
  CallBatch,
  FailedCall,
  Invocation,
  ModelCall,
  ModelCallResult,
  ModelCalls,
  RefusedCall,
  UnreadableAnswer,
} from './model-calls/model-calls.js';
export { buildPromptCall } from './model-calls/build-prompt-call.js';
export { createModelCalls, type ModelAccess, type ModelCallsOptions } from './model-calls/create-model-calls.js';
export { type LimitedModel, type ModelLimits, type SpendingLimits } from './model-calls/model-limits.js';
export { type ModelsConfig, readModelLimits } from './model-calls/model-limits.js';
export { findNextBudgetDay, toBudgetDay } from './model-calls/budget-day.js';
export { meterEmbedder } from './model-calls/metered-embedder.js';
export { meterReranker } from './model-calls/metered-reranker.js';
export { ProviderMonitor, type ProviderStatus } from './model-calls/provider-monitor.js';
export { type CoordinationStore, openCoordination } from './infrastructure/open-coordination.js';
export { type Categories, openCategories } from './categories/open-categories.js';
export { createCachedEmbedder } from './models/create-cached-embedder.js';
export { createEmbedder, createExtractionProviders, createPricingCatalog } from './models/create-models.js';
export { InfrastructureModule } from './infrastructure/infrastructure.module.js';
export { type RegisteredWorker, WorkerRegistry } from './infrastructure/worker-registry.js';
export {
  CLOCK,
  CONFIG,
  DATABASE,
  IDS,
  INFRASTRUCTURE,
  LOGGER,
  MAINTENANCE,
  METRICS,
  MODEL_CALLS,
  QUEUE_BACKEND,
  QUEUES,
  RELAY,
  RNG,
  SECRETS,
  WORKERS,
} from './infrastructure/tokens.js';
export { randomBytes } from './infrastructure/random-bytes.js';
export type { BatchAttempt, BatchEnding, BatchStage, ClaimedBatch } from './batch-job/batch-stage.js';
export { BatchSteps } from './batch-job/batch-steps.js';
export type { WithoutSlot } from './batch-job/concurrency-slots.js';
export { createBatchWorker } from './batch-job/create-batch-worker.js';
export {
  type MaintenanceJob,
  type MaintenanceProgress,
  type MaintenanceRun,
  startTimeBudget,
} from './maintenance/maintenance-job.js';
export {
  DEFAULT_MAINTENANCE_LIMITS,
  type MaintenanceLimits,
  MaintenanceRunner,
  type MaintenanceRunnerOptions,
} from './maintenance/maintenance-runner.js';
export { groupByUser, type MemoryChunk } from './maintenance/jobs/write-chunks.js';
export { parseWalkCursor, toWalkCursor } from './maintenance/jobs/walk-memories.js';
export { createExpiryJob } from './maintenance/jobs/expiry-job.js';
export { createIdempotencyJob } from './maintenance/jobs/idempotency-job.js';
export { createPurgeJob } from './maintenance/jobs/purge-job.js';
export { registerMaintenanceJobs } from './maintenance/jobs/register-jobs.js';
export { explainFailure } from './batch-job/end-batch.js';
export { LeaseLostError } from './batch-job/lease-renewal.js';
export { type BatchOutcomes, isPipelineFailing, PIPELINE_WINDOW_MS } from './health/pipeline-health.js';
export { createReadinessChecks, type QueueNeed } from './health/checks.js';
export { OperationsModule } from './health/operations.module.js';
export { Public, PUBLIC_ROUTE } from './health/public-route.js';
export { Readiness } from './health/readiness.js';
export type { ListenAddress } from './service/listen-address.js';
export { isUserFacingError, StartFailure } from './service/start-failure.js';
export { type RunningService, type ServiceDefinition, startService } from './service/start-service.js';
export { type RunOptions, runService } from './service/run-service.js';

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
 * out of InfrastructureModule (the tokens below), OperationsModule (health and metrics) and the
 * given modules, starts relay, sweep and workers, listens, and shuts down in order on a signal. `startService` is the
 * same without signal handlers and process exit, for tests and for processes that combine services.
 *
 * A module injects what it needs: `@Inject(DATABASE) database: Database`, `@Inject(CONFIG) config: Config<'batching'>`.
 * A module with a consumer calls `infrastructure.workers.add(createBatchWorker(infrastructure, stage))` while the
 * application starts; `createBatchWorker` claims the batch, renews its lease and fails it when the job is exhausted.
 */
export { deriveSecrets, type SecretKeys, type Secrets } from './secrets/derive-secrets.js';
export { deriveTenantPseudonymKey, type TenantPseudonymKey } from './secrets/tenant-pseudonym-key.js';
export { Redactor } from './redaction/redactor.js';
export { Redactors } from './redaction/redactors.js';
export {
  createProcessContext,
  type ProcessContext,
  randomBytes,
  readVersion,
} from './infrastructure/process-context.js';
export {
  createInfrastructure,
  type Infrastructure,
  openCoordination,
  type Stores,
} from './infrastructure/infrastructure.js';
export { connectDistributed, DISTRIBUTED_FRAGMENTS, embeddedStores, isTraced } from './infrastructure/stores.js';
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
export { mayBeCharged } from './model-calls/classify-failure.js';
export { meterEmbedder } from './model-calls/metered-embedder.js';
export { meterReranker } from './model-calls/metered-reranker.js';
export { ProviderMonitor, type ProviderStatus } from './model-calls/provider-monitor.js';
export { type Categories, loadCategories, openCategories } from './categories/open-categories.js';
export {
  createCachedEmbedder,
  createEmbedder,
  createExtractionProviders,
  createPricingCatalog,
} from './models/create-models.js';
export {
  CLOCK,
  CONFIG,
  DATABASE,
  IDS,
  INFRASTRUCTURE,
  InfrastructureModule,
  LOGGER,
  METRICS,
  PAUSE,
  MODEL_CALLS,
  RELAY,
  SECRETS,
} from './infrastructure/infrastructure.module.js';
export type { BatchEnding, ClaimedBatch } from './batch-job/batch-stage.js';
export { LeaseLostError } from './leased-job/lease-renewal.js';
export type { JobAttempt } from './leased-job/run-leased-job.js';
export { BatchSteps } from './batch-job/batch-steps.js';
export { createBatchWorker } from './batch-job/run-batch-job.js';
export { isTextRefusal, planDeferral } from './work-job/plan-deferral.js';
export { commitWork, createWorkWorker, runWorkJob } from './work-job/run-work-job.js';
export type { ClaimedWork, WorkEnding, WorkStage } from './work-job/work-stage.js';
export { readEnergyLimits } from './minds/collect-energy-gauge.js';
export {
  createMindCaller,
  type MindAnswer,
  type MindCaller,
  rejectAnswer,
  type MindModels,
  type MindQuestion,
} from './minds/mind-caller.js';
export { hasTimeForQuestion } from './minds/question-time.js';
export type { MindCounts, MindOutcome, MindRun, MindSetback, MindStage, MindSubject } from './minds/mind-stage.js';
export {
  listMinds,
  MIND_PROVIDERS,
  type MindContext,
  type MindFactory,
  MINDS,
  MindsProcessor,
} from './minds/minds.processor.js';
export { createMindWorker, createMindWorkStage, type MindDependencies } from './minds/mind-worker.js';
export { type MaintenanceJob, type MaintenanceProgress, type MaintenanceRun } from './maintenance/maintenance-job.js';
export { walkDue } from './maintenance/jobs/walk-due.js';
export { createExpiryJob, createPurgeJob } from './maintenance/jobs/lifecycle-jobs.js';
export { createIdempotencyJob } from './maintenance/jobs/retention-jobs.js';
export { registerMaintenanceJobs } from './maintenance/jobs/register-jobs.js';
export { Readiness } from './health/readiness.js';
export { OperationsModule } from './health/operations.module.js';
export { type RunningService, type ServiceDefinition, startService } from './service/start-service.js';
export { runService } from './service/run-service.js';
export { AddressRules } from './webhooks/address-rules.js';
export { createWebhookSender } from './webhooks/create-webhook-sender.js';
export { WebhookSender } from './webhooks/webhook-sender.js';

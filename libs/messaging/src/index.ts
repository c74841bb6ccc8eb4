export { JobQueue } from './job-queue/job-queue.js';
export type { FailedJob, JobState, JobToAdd, QueueCounts } from './job-queue/job-queue.types.js';
export { DEFAULT_RELAY_LIMITS, DEFAULT_SWEEP_LIMITS, type RelayLimits, type SweepLimits } from './outbox/limits.js';
export type { Lease, LeaseOptions, OutboxRow, OutboxStore } from './outbox/outbox-store.js';
export { OutboxRelay, type OutboxRelayOptions } from './outbox/relay.js';
export { type OutboxQueues, toBatchJob } from './outbox/row-jobs.js';
export { OutboxSweep, type OutboxSweepOptions, type OrphanedState } from './outbox/sweep.js';
export { createQueueBackend } from './queue-backend/create-queue-backend.js';
export type {
  PostgresBackendConfig,
  QueueBackend,
  QueueBackendConfig,
  QueueBackendDependencies,
  QueueEpoch,
  RedisBackendConfig,
} from './queue-backend/queue-backend.js';
export { createQueueTelemetry } from './queue-backend/queue-telemetry.js';
export { QueueUnavailableError } from './queue-backend/queue-unavailable-error.js';
export { assertHandlers } from './worker/assert-handlers.js';
export {
  type JobErrorKind,
  UnexpectedJobError,
  JobError,
  type JobErrorOptions,
  PermanentJobError,
  TransientJobError,
  toJobError,
} from './worker/job-error.js';
export { JobWorker } from './worker/job-worker.js';
export type { ExhaustedJob, JobContext, JobHandler, JobOutcome, JobWorkerOptions } from './worker/job-worker.types.js';

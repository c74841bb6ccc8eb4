export { JobQueue, type FailedJob, type JobState, type JobToAdd, type QueueCounts } from './job-queue/job-queue.js';
export * from './outbox/limits.js';
export {
  toWorkJob,
  type Lease,
  type LeaseOptions,
  type WorkQueues,
  type WorkRow,
  type WorkStore,
} from './outbox/work-store.js';
export { Pause } from './outbox/pause.js';
export { OutboxRelay, type OutboxRelayOptions } from './outbox/relay.js';
export { OutboxSweep, type OrphanedState, type OutboxSweepOptions } from './outbox/sweep.js';
export { createQueueBackend, createQueueTelemetry } from './queue-backend/create-queue-backend.js';
export * from './queue-backend/queue-backend.js';
export { QueueUnavailableError } from './queue-backend/queue-guard.js';
export { assertHandlers } from './worker/assert-handlers.js';
export {
  JobError,
  PermanentJobError,
  toJobError,
  TransientJobError,
  UnexpectedJobError,
  type JobErrorKind,
  type JobErrorOptions,
} from './worker/job-error.js';
export { JobWorker } from './worker/job-worker.js';
export * from './worker/job-worker.types.js';

import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

export const batching = defineFragment({
  title: 'Batches',
  variables: {
    ANNALS_BATCH_WINDOW_MS: withDefault(integer(0, 600_000), '1000', {
      description:
        'How long a batch stays open for more messages of its conversation; `0` seals it with its first request.',
      unit: 'ms',
    }),
    ANNALS_BATCH_MAX_MESSAGES: withDefault(integer(1, 50), '50', {
      description: 'Maximum number of messages in a batch, which one model call reads.',
      unit: 'messages',
    }),
  },
  build: (values) => ({
    windowMs: values.ANNALS_BATCH_WINDOW_MS,
    maxMessages: values.ANNALS_BATCH_MAX_MESSAGES,
  }),
});

export const relay = defineFragment({
  title: 'Relay and sweep',
  variables: {
    ANNALS_RELEASE_PER_TENANT: withDefault(integer(1, 10_000), '64', {
      description: 'Maximum work of one tenant on the queues at a time; the rest waits in the database.',
      unit: 'batches',
    }),
    ANNALS_SWEEP_INTERVAL_MS: withDefault(integer(100, 3_600_000), '5000', {
      description: 'Interval between two sweeps for published work whose job the queue has lost.',
      unit: 'ms',
    }),
    ANNALS_SWEEP_AFTER_MS: withDefault(integer(100, 3_600_000), '10000', {
      description: 'Age from which the sweep checks published work.',
      unit: 'ms',
    }),
  },
  build: (values) => ({
    releasePerTenant: values.ANNALS_RELEASE_PER_TENANT,
    sweepIntervalMs: values.ANNALS_SWEEP_INTERVAL_MS,
    sweepAfterMs: values.ANNALS_SWEEP_AFTER_MS,
  }),
});

export const workers = defineFragment({
  title: 'Workers',
  variables: {
    ANNALS_EXTRACTION_CONCURRENCY: withDefault(integer(1, 512), '8', {
      description: 'Batches that one process extracts concurrently.',
      unit: 'batches',
    }),
    ANNALS_PERSISTENCE_CONCURRENCY: withDefault(integer(1, 512), '8', {
      description: 'Batches that one process writes concurrently. Each may use a database connection.',
      unit: 'batches',
    }),
    ANNALS_LEASE_MS: withDefault(integer(1_000, 3_600_000), '10000', {
      description:
        'Duration of a worker’s lease on a batch. When it is not renewed in time, another worker may take the batch.',
      unit: 'ms',
    }),
    ANNALS_HEALTH_PORT: withDefault(integer(0, 65_535), '0', {
      description: 'Port of the health and metrics endpoints of a worker process. `0` picks a free port.',
    }),
  },
  build: (values) => ({
    extractionConcurrency: values.ANNALS_EXTRACTION_CONCURRENCY,
    persistenceConcurrency: values.ANNALS_PERSISTENCE_CONCURRENCY,
    leaseMs: values.ANNALS_LEASE_MS,
    healthPort: values.ANNALS_HEALTH_PORT,
  }),
});

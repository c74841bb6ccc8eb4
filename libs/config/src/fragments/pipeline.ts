import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

export const batching = defineFragment({
  title: 'Batches',
  variables: {
    ANNALS_BATCH_WINDOW_MS: withDefault(integer(0, 600_000), '1000', {
      description:
        'How long a batch stays open for more messages of its conversation; `0` closes it with its first post.',
      unit: 'ms',
    }),
    ANNALS_BATCH_MAX_MESSAGES: withDefault(integer(1, 50), '50', {
      description: 'Messages in a batch, which is what one call of a model reads.',
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
      description: 'Most work of one tenant on the queues at a time; the rest waits its turn in the database.',
      unit: 'batches',
    }),
    ANNALS_SWEEP_INTERVAL_MS: withDefault(integer(100, 3_600_000), '5000', {
      description: 'Time between two searches for released work whose job is gone.',
      unit: 'ms',
    }),
    ANNALS_SWEEP_AFTER_MS: withDefault(integer(100, 3_600_000), '10000', {
      description: 'Age from which released work is checked by the sweep.',
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
      description: 'Batches one process extracts at a time.',
      unit: 'batches',
    }),
    ANNALS_PERSISTENCE_CONCURRENCY: withDefault(integer(1, 512), '8', {
      description: 'Batches one process writes at a time. Each may hold a database connection.',
      unit: 'batches',
    }),
    ANNALS_LEASE_MS: withDefault(integer(1_000, 3_600_000), '10000', {
      description: 'How long a worker holds a batch without a sign of life before another may take it.',
      unit: 'ms',
    }),
    ANNALS_HEALTH_PORT: withDefault(integer(0, 65_535), '0', {
      description: 'Port of health and metrics in a worker process. `0` takes a free one.',
    }),
  },
  build: (values) => ({
    extractionConcurrency: values.ANNALS_EXTRACTION_CONCURRENCY,
    persistenceConcurrency: values.ANNALS_PERSISTENCE_CONCURRENCY,
    leaseMs: values.ANNALS_LEASE_MS,
    healthPort: values.ANNALS_HEALTH_PORT,
  }),
});

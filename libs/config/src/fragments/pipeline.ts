import { defineFragment } from '../fragment.js';
import { integer, optional, pattern, singleLine, withDefault } from '../variable.js';

export const batching = defineFragment({
  title: 'Batches',
  variables: {
    windowMs: withDefault('ANNALS_BATCH_WINDOW_MS', integer(0, 600_000), '1000', {
      description:
        'How long a batch stays open for more messages of its conversation; `0` seals it with its first request.',
      unit: 'ms',
    }),
    maxMessages: withDefault('ANNALS_BATCH_MAX_MESSAGES', integer(1, 50), '50', {
      description: 'Maximum number of messages in a batch, which one model call reads.',
      unit: 'messages',
    }),
  },
});

export const relay = defineFragment({
  title: 'Relay and sweep',
  variables: {
    releasePerTenant: withDefault('ANNALS_RELEASE_PER_TENANT', integer(1, 10_000), '64', {
      description: 'Maximum work of one tenant on the queues at a time; the rest waits in the database.',
      unit: 'batches',
    }),
    sweepIntervalMs: withDefault('ANNALS_SWEEP_INTERVAL_MS', integer(100, 3_600_000), '5000', {
      description: 'Interval between two sweeps for published work whose job the queue has lost.',
      unit: 'ms',
    }),
    sweepAfterMs: withDefault('ANNALS_SWEEP_AFTER_MS', integer(100, 3_600_000), '10000', {
      description: 'Age from which the sweep checks published work.',
      unit: 'ms',
    }),
  },
});

export const workers = defineFragment({
  title: 'Workers',
  variables: {
    extractionConcurrency: withDefault('ANNALS_EXTRACTION_CONCURRENCY', integer(1, 512), '8', {
      description: 'Batches that one process extracts concurrently.',
      unit: 'batches',
    }),
    persistenceConcurrency: withDefault('ANNALS_PERSISTENCE_CONCURRENCY', integer(1, 512), '8', {
      description: 'Batches that one process writes concurrently. Each may use a database connection.',
      unit: 'batches',
    }),
    leaseMs: withDefault('ANNALS_LEASE_MS', integer(1_000, 3_600_000), '10000', {
      description:
        'Duration of a worker’s lease on a batch. When it is not renewed in time, another worker may take the batch.',
      unit: 'ms',
    }),
    healthPort: withDefault('ANNALS_HEALTH_PORT', integer(0, 65_535), '0', {
      description: 'Port of the health and metrics endpoints of a worker process. `0` picks a free port.',
    }),
  },
});

export const multiFact = defineFragment({
  title: 'Second pass over long messages',
  variables: {
    minLength: withDefault('MEMORY_LLM_MULTI_FACT_MIN_CHARS', integer(0, 100_000), '600', {
      description:
        'A message of a user that is longer than this, and from which the model extracted at most one memory, is sent to the model a second time by itself. `0` disables the second pass.',
      unit: 'characters',
    }),
    dailyCalls: withDefault('MEMORY_LLM_MULTI_FACT_DAILY_CALLS', integer(0, 100_000), '20', {
      description: 'Maximum number of such calls per user and UTC day.',
      unit: 'calls',
    }),
  },
});

export const procedures = defineFragment({
  title: 'Procedures',
  variables: {
    agents: withDefault(
      'ANNALS_PROCEDURE_AGENTS',
      pattern('names of agents, separated by commas, or `off`', /^[\w.:-]{1,64}(?:,[\w.:-]{1,64}){0,15}$/u),
      'supervisor,executor',
      {
        description:
          'Agents of whose finished work procedures are made: assistants with one of these names, or a name that begins with it and a separator (`executor-2`), as `actor_id` of the message or as `agent_id` of the conversation. In the conversation of another agent, `actor_id` does not count. `off` makes none.',
      },
    ),
    dailyCalls: withDefault('MEMORY_LLM_PROCEDURE_DAILY_CALLS', integer(0, 100_000), '20', {
      description:
        'Maximum number of calls per user and UTC day that word procedures. Further procedures are worded by rules.',
      unit: 'calls',
    }),
  },
});

export const categories = defineFragment({
  title: 'Categories',
  variables: {
    file: optional(
      'ANNALS_CATEGORIES_FILE',
      singleLine('the path of a YAML file'),
      'the categories and allowlists of `categories.example.yaml` apply',
      {
        description:
          'YAML file with the categories, their context modes and the allowlists of agents. Give gateways and extraction workers the same file. A changed file is reloaded within seconds, or immediately on SIGHUP; an invalid one is logged and changes nothing.',
      },
    ),
  },
});

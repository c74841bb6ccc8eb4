import { defineFragment } from '../fragment.js';
import { days, integer, withDefault } from '../variable.js';

export const retention = defineFragment({
  title: 'Retention',
  variables: {
    ttlMs: withDefault('ANNALS_TTL_DAYS', days(1, 36_500), '60', {
      description:
        'A memory of low importance that was not read, changed or observed again for this long is deleted, unless it is pinned.',
      unit: 'days',
    }),
    minRetainedImportance: withDefault('ANNALS_TTL_MIN_RETAINED_IMPORTANCE', integer(1, 6), '3', {
      description: 'Importance from which a memory is never deleted by age. `1` exempts all memories, `6` none.',
    }),
    purgeAfterMs: withDefault('ANNALS_PURGE_AFTER_DAYS', days(0, 36_500), '30', {
      description: 'How long a deleted memory can be restored before it is purged.',
      unit: 'days',
    }),
    eventsRetentionMs: withDefault('ANNALS_EVENTS_KEEP_DAYS', days(1, 36_500), '90', {
      description:
        'How long events (`GET /v1/events`) are retained. The audit history and the change log are never deleted by age.',
      unit: 'days',
    }),
    mindRecordsRetentionMs: withDefault('ANNALS_MIND_RUNS_KEEP_DAYS', days(1, 36_500), '90', {
      description:
        'How long records of ended runs of minds are retained, with their changes, and the energy drawn on each day. A run of consolidation can be undone until then.',
      unit: 'days',
    }),
    maxConversationEntries: withDefault('ANNALS_MAX_ENTRIES_PER_CONVERSATION', integer(1, 1_000_000), '500', {
      description:
        'How many turns and facts of one conversation are in use. Of more, the oldest are evicted once a summary covers them: turns leave the index and their messages stay, facts can be restored until they are purged.',
      unit: 'entries',
    }),
    intervalMs: withDefault('ANNALS_RETENTION_INTERVAL_MS', integer(1_000, 86_400_000), '3600000', {
      description: 'Interval between two searches for expired memories, events and records of minds.',
      unit: 'ms',
    }),
    accessFlushMs: withDefault('ANNALS_ACCESS_FLUSH_MS', integer(10, 600_000), '2000', {
      description: 'How long reads of memories are collected before they are recorded together.',
      unit: 'ms',
    }),
  },
});

export const checkpoints = defineFragment({
  title: 'Checkpoints',
  variables: {
    maxBytes: withDefault('ANNALS_CHECKPOINT_MAX_BYTES', integer(1, 104_857_600), '1000000', {
      description:
        'Maximum size of a thread’s state, as JSON, and of a state of LangGraph; a larger one is rejected with 413. `ANNALS_BODY_LIMIT_BYTES` applies as well.',
      unit: 'bytes',
    }),
    keepVersions: withDefault('ANNALS_CHECKPOINT_KEEP_VERSIONS', integer(1, 100_000), '50', {
      description: 'How many versions of a thread’s state are retained, the newest included.',
      unit: 'versions',
    }),
    keepMs: withDefault('ANNALS_CHECKPOINT_KEEP_DAYS', days(1, 36_500), '30', {
      description:
        'Age from which an earlier version of a thread, or an earlier checkpoint of LangGraph, is deleted. The newest is retained, whatever its age.',
      unit: 'days',
    }),
  },
});

import { defineFragment } from '../fragment.js';
import { integer, withDefault } from '../variable.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

export const retention = defineFragment({
  title: 'Retention',
  variables: {
    ANNALS_TTL_DAYS: withDefault(integer(1, 36_500), '60', {
      description:
        'A memory of low importance that was not read, changed or observed again for this long is deleted, unless it is pinned.',
      unit: 'days',
    }),
    ANNALS_TTL_MIN_RETAINED_IMPORTANCE: withDefault(integer(1, 6), '3', {
      description: 'Importance from which a memory is never deleted by age. `1` exempts all memories, `6` none.',
    }),
    ANNALS_PURGE_AFTER_DAYS: withDefault(integer(0, 36_500), '30', {
      description: 'How long a deleted memory can be restored before it is purged.',
      unit: 'days',
    }),
    ANNALS_EVENTS_KEEP_DAYS: withDefault(integer(1, 36_500), '90', {
      description:
        'How long events (`GET /v1/events`) are retained. The audit history and the change log are never deleted by age.',
      unit: 'days',
    }),
    ANNALS_RETENTION_INTERVAL_MS: withDefault(integer(1_000, 86_400_000), '3600000', {
      description: 'Interval between two searches for expired memories and events.',
      unit: 'ms',
    }),
    ANNALS_ACCESS_FLUSH_MS: withDefault(integer(10, 600_000), '2000', {
      description: 'How long reads of memories are collected before they are recorded together.',
      unit: 'ms',
    }),
  },
  build: (values) => ({
    ttlMs: values.ANNALS_TTL_DAYS * DAY_MS,
    minRetainedImportance: values.ANNALS_TTL_MIN_RETAINED_IMPORTANCE,
    purgeAfterMs: values.ANNALS_PURGE_AFTER_DAYS * DAY_MS,
    eventsRetentionMs: values.ANNALS_EVENTS_KEEP_DAYS * DAY_MS,
    intervalMs: values.ANNALS_RETENTION_INTERVAL_MS,
    accessFlushMs: values.ANNALS_ACCESS_FLUSH_MS,
  }),
});

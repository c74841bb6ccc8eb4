import type { EventDefinition } from './event-definition.js';

/** Events of work other than batches (docs/reference/work.md). */
export const workEvents = {
  work_deferred: {
    when: 'when work other than a batch has to wait for a budget or a provider',
    fields: { tenantId: 'string', kind: 'string', subjectId: 'string', reason: 'string' },
  },
  work_failed: {
    when: 'when work other than a batch has failed for good; it can be replayed',
    fields: { tenantId: 'string', kind: 'string', subjectId: 'string', reason: 'string' },
  },
  work_replayed: {
    when: 'when failed work is replayed by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', workId: 'string', byKeyId: 'string' },
  },
} as const satisfies Record<string, EventDefinition>;

import type { EventDefinition } from './event-definition.js';

/** Events of background minds (docs/reference/minds.md). */
export const mindEvents = {
  mind_run_ended: {
    when: 'when a run of a mind has ended, or waits',
    fields: {
      tenantId: 'string',
      kind: 'string',
      subjectId: 'string',
      runId: 'string',
      state: 'string',
      durationMs: 'number',
    },
  },
  insights_inferred: {
    when: 'when the insights of a run were written',
    fields: {
      tenantId: 'string',
      subjectId: 'string',
      runId: 'string',
      created: 'number',
      superseded: 'number',
      quarantined: 'number',
      known: 'number',
      groundless: 'number',
      context: 'number',
    },
  },
  consolidation_requested: {
    when: 'when the key `byKeyId` asks for a run of consolidation',
    audit: true,
    fields: { tenantId: 'string', byKeyId: 'string', isDryRun: 'boolean' },
  },
  consolidation_undone: {
    when: 'when a run of consolidation is undone by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', runId: 'string', byKeyId: 'string' },
  },
} as const satisfies Record<string, EventDefinition>;

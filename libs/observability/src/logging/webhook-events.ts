import type { EventDefinition } from './event-definition.js';

/** Events of webhooks (docs/reference/webhooks.md): never a URL, which can contain a secret. */
export const webhookEvents = {
  webhook_saved: {
    when: 'after a webhook was created or replaced by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', webhookId: 'string', isNew: 'boolean', byKeyId: 'string' },
  },
  webhook_deleted: {
    when: 'after a webhook was deleted by the key `byKeyId`, with the events that were still to be sent',
    audit: true,
    fields: { tenantId: 'string', webhookId: 'string', dropped: 'number', byKeyId: 'string' },
  },
  webhook_secret_rotated: {
    when: 'after a webhook was given a new secret by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', webhookId: 'string', byKeyId: 'string' },
  },
  webhook_replayed: {
    when: 'after events were made due again by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', webhookId: 'string', replayed: 'number', byKeyId: 'string' },
  },
  webhook_attempt_failed: {
    when: 'when a receiver did not acknowledge an event; `responseStatus` is there if it responded',
    fields: { tenantId: 'string', webhookId: 'string', eventId: 'string', attempts: 'number', failure: 'string' },
  },
  webhook_failing: {
    when: 'when the third attempt in a row of a webhook has failed; the next ones are told by `webhook_attempt_failed`',
    fields: { tenantId: 'string', webhookId: 'string', failure: 'string' },
  },
  webhook_event_dead: {
    when: 'when an event is given up after its last attempt',
    fields: { tenantId: 'string', webhookId: 'string', eventId: 'string', attempts: 'number' },
  },
  webhook_disabled: {
    when: 'when a webhook is disabled, because its receiver is gone or has failed for days',
    fields: { tenantId: 'string', webhookId: 'string', reason: 'string' },
  },
  webhooks_failed: {
    when: 'when events of webhooks could not be sent because of an error in this process; they are sent later',
    fields: { error: 'error' },
  },
} as const satisfies Record<string, EventDefinition>;

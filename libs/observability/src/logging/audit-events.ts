import type { EventDefinition } from './event-definition.js';

/** Log events that say who did what, or tried to. */
export const auditEvents = {
  key_created: {
    when: 'after an API key was created by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  console_link_used: {
    when: 'after the one-time link of the console was exchanged for the API key `keyId`, which ends after twelve hours',
    audit: true,
    fields: { tenantId: 'string', keyId: 'string', address: 'string' },
  },
  person_link_created: {
    when: 'after a link to the page of a person, which is the key `keyId` until it is opened, was made by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  person_link_opened: {
    when: 'after the link `byKeyId` to the page of a person was exchanged for the key `keyId`, which ends after an hour',
    audit: true,
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string', address: 'string' },
  },
  person_links_revoked: {
    when: 'after all links of a person, and the keys of their open pages, were revoked by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', keys: 'number', byKeyId: 'string' },
  },
  key_revoked: {
    when: 'after an API key was revoked by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  user_erased: {
    when: 'after a user was erased by the key `byKeyId`; `rows` were deleted or stripped of personal data, and the receipt `receiptId` identifies the user',
    audit: true,
    fields: { tenantId: 'string', receiptId: 'string', rows: 'number', byKeyId: 'string' },
  },
  user_exported: {
    when: 'when the key `byKeyId` begins to read the export of a user',
    audit: true,
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  memories_forgotten: {
    when: 'after what somebody named was forgotten for good by the key `byKeyId`: how much, and none of its words',
    audit: true,
    fields: { tenantId: 'string', memories: 'number', turns: 'number', byKeyId: 'string' },
  },
  message_forgotten: {
    when: 'after a message was forgotten for good by the key `byKeyId`, with the memories based on it alone',
    audit: true,
    fields: { tenantId: 'string', conversationId: 'string', memoriesDeleted: 'number', byKeyId: 'string' },
  },
  conversation_forgotten: {
    when: 'after a conversation was deleted by the key `byKeyId` with the memories based on it alone',
    audit: true,
    fields: {
      tenantId: 'string',
      conversationId: 'string',
      messages: 'number',
      memoriesDeleted: 'number',
      byKeyId: 'string',
    },
  },
  authentication_failed: {
    when: 'when a request has no key, or one that is unknown, revoked or expired (then with `keyId` and `tenantId`); not for requests that are refused because their address sent too many',
    audit: true,
    fields: { reason: ['missing', 'unknown', 'expired'], address: 'string', method: 'string', route: 'string' },
  },
  request_forbidden: {
    when: 'when a request is refused with 403 because of the scopes or bindings of the key `byKeyId`',
    audit: true,
    fields: {
      code: ['forbidden_scope', 'forbidden_agent', 'forbidden_category', 'forbidden_user'],
      byKeyId: 'string',
      method: 'string',
      route: 'string',
    },
  },
  tenant_created: {
    when: 'after a tenant was created by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  tenant_changed: {
    when: 'after settings of a tenant were changed by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  tenant_deleted: {
    when: 'after a tenant and all its data were deleted by the key `byKeyId`',
    audit: true,
    fields: { tenantId: 'string', byKeyId: 'string', rows: 'number' },
  },
  queue_session_opened: {
    when: 'after an operator logged in to the queue UI with the key `byKeyId`',
    audit: true,
    fields: { byKeyId: 'string', address: 'string' },
  },
  queue_session_closed: {
    when: 'after an operator who had logged in with the key `byKeyId` logged out of the queue UI',
    audit: true,
    fields: { byKeyId: 'string', address: 'string' },
  },
  queue_action: {
    when: 'after an operator asked in the queue UI to `retry` failed work, or to `promote` work that waits, with the key `byKeyId`; `moved_on` when that work had moved on, so that nothing was changed',
    audit: true,
    fields: {
      action: ['retry', 'promote'],
      queue: 'string',
      tenantId: 'string',
      subjectId: 'string',
      generation: 'number',
      outcome: ['done', 'moved_on', 'not_found', 'failed'],
      byKeyId: 'string',
    },
  },
  queue_request_refused: {
    when: 'when the queue UI refuses a change that came from another site or without the token of its page; with `byKeyId` if somebody was logged in',
    audit: true,
    fields: { reason: ['cross_site', 'token'], address: 'string', route: 'string' },
  },
  budget_changed: {
    when: 'after a daily budget was changed by the key `byKeyId`; limits in micro-USD, 0 for no limit; with `tenantId` for scope `tenant`',
    audit: true,
    fields: {
      scope: ['deployment', 'claude', 'openai', 'tenant'],
      fromMicroUSD: 'number',
      toMicroUSD: 'number',
      byKeyId: 'string',
    },
  },
} as const satisfies Record<string, EventDefinition>;

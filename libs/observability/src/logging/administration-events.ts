import type { EventDefinition } from './event-definition.js';

/** What a person or an operator had done: keys, erasures, tenants, budgets. */
export const administrationEvents = {
  key_created: {
    when: 'after an API key was created by the key `byKeyId`',
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  key_revoked: {
    when: 'after an API key was revoked by the key `byKeyId`',
    fields: { tenantId: 'string', keyId: 'string', byKeyId: 'string' },
  },
  user_erased: {
    when: 'after a user was erased; `rows` were deleted or stripped of personal data, and the receipt `receiptId` identifies the user',
    fields: { tenantId: 'string', receiptId: 'string', rows: 'number' },
  },
  conversation_forgotten: {
    when: 'after a conversation was deleted with the memories based on it alone',
    fields: { tenantId: 'string', conversationId: 'string', messages: 'number', memoriesDeleted: 'number' },
  },
  tenant_created: {
    when: 'after a tenant was created by the key `byKeyId`',
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  tenant_changed: {
    when: 'after settings of a tenant were changed by the key `byKeyId`',
    fields: { tenantId: 'string', byKeyId: 'string' },
  },
  pseudonym_key_changed: {
    when: 'when the placeholders of a tenant were made with another key than the configured one: whatever must be redacted is refused with 503',
    fields: { tenantId: 'string' },
  },
  tenant_deleted: {
    when: 'after a tenant and all its data were deleted by the key `byKeyId`',
    fields: { tenantId: 'string', byKeyId: 'string', rows: 'number' },
  },
  budget_changed: {
    when: 'after a daily budget was changed by the key `byKeyId`; limits in micro-USD, 0 for no limit; with `tenantId` for scope `tenant`',
    fields: {
      scope: ['deployment', 'claude', 'openai', 'tenant'],
      fromMicroUSD: 'number',
      toMicroUSD: 'number',
      byKeyId: 'string',
    },
  },
} as const satisfies Record<string, EventDefinition>;

import { GLOBAL_OWNER } from '@annals/contracts';
import { buildWebhookBody, type WebhookEvent } from './webhook-body.js';

const EVENT: WebhookEvent = {
  type: 'memory.created',
  tenantId: 'tenant',
  owner: 'ada',
  sequence: 3,
  occurredAt: new Date('2026-01-05T09:00:00Z'),
  data: { memory_id: 'm', revision: 1 },
};
const dataOf = (event: WebhookEvent, content?: string | null) =>
  (JSON.parse(buildWebhookBody(event, content)) as { data: Record<string, unknown> }).data;

describe('buildWebhookBody', () => {
  it('names type, time, tenant, user and ids', () => {
    expect(JSON.parse(buildWebhookBody(EVENT, undefined))).toEqual({
      type: 'memory.created',
      timestamp: '2026-01-05T09:00:00.000Z',
      data: { tenant_id: 'tenant', user_id: 'ada', scope: 'user', sequence: 3, memory_id: 'm', revision: 1 },
    });
  });

  it('has the words for an endpoint that asked for them, and null when they are gone', () => {
    expect(dataOf(EVENT, 'Ada drinks tea.')['content']).toBe('Ada drinks tea.');
    expect(dataOf(EVENT, null)['content']).toBeNull();
    expect('content' in dataOf(EVENT)).toBe(false);
    expect('content' in dataOf({ ...EVENT, type: 'batch.done' }, null)).toBe(false);
  });

  it('names no user for global memories, nor for what is about no user', () => {
    expect(dataOf({ ...EVENT, owner: GLOBAL_OWNER })).toMatchObject({ user_id: null, scope: 'global' });
    const test = dataOf({ ...EVENT, type: 'webhook.test', owner: '', data: {} });
    expect(test).toEqual({ tenant_id: 'tenant', user_id: null, sequence: 3 });
  });
});

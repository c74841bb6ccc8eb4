import type { WebhookEventType } from '@annals/contracts';
import { namedOwner, scopeOfOwner } from '../writes/owner.js';

/** Whom a feed is about; null for all users, and for none. */
export const userOfFeed = (owner: string): string | null => (owner === '' ? null : namedOwner(owner));

/** An event as it is stored for an endpoint. */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  readonly tenantId: string;
  /** The user's id, `GLOBAL_OWNER`, or '' for what is about no user. */
  readonly owner: string;
  readonly sequence: number;
  readonly occurredAt: Date;
  /** Ids by name. */
  readonly data: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The body of a request: type, time and ids (docs/reference/webhooks.md#body). `content`: the words of the memory, null
 * when they are gone; undefined for an endpoint that did not ask for them.
 */
export function buildWebhookBody(event: WebhookEvent, content: string | null | undefined): string {
  const isOfMemory = event.type.startsWith('memory.');
  return JSON.stringify({
    type: event.type,
    timestamp: event.occurredAt.toISOString(),
    data: {
      tenant_id: event.tenantId,
      user_id: userOfFeed(event.owner),
      ...(isOfMemory ? { scope: scopeOfOwner(event.owner) } : {}),
      sequence: event.sequence,
      ...event.data,
      ...(isOfMemory && content !== undefined ? { content } : {}),
    },
  });
}

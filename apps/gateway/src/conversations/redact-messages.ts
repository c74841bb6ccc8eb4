import type { MessageInput } from '@annals/contracts';
import { createPiiCounts, type PiiCounts, type RedactionOptions, redactText } from '@annals/domain';
import type { NewMessage } from '@annals/storage';
import { createHmac, type KeyObject } from 'node:crypto';

export interface RedactionContext {
  /** Key of the HMAC over the unredacted content. A KeyObject, since deriving one from a buffer costs five HMACs. */
  readonly secret: KeyObject;
  readonly tenantId: string;
  /** Of the tenant: its country and its pseudonyms. */
  readonly redaction: RedactionOptions;
  /** Epoch ms: the time of messages without `created_at`. */
  readonly now: number;
}

/** What may be stored (docs/reference/privacy.md#redaction-before-storage), and how much was redacted. */
export function redactMessages(
  messages: readonly MessageInput[],
  context: RedactionContext,
): { messages: NewMessage[]; counts: PiiCounts } {
  const counts = createPiiCounts();
  const redacted = messages.map((message) => {
    const redaction = redactText(message.content, context.redaction);
    addCounts(counts, redaction.counts);
    return {
      externalId: message.id ?? null,
      role: message.role,
      actorId: message.actor_id ?? null,
      content: redaction.text,
      contentHmac: computeContentHmac(context, message.content),
      saidAt: message.created_at === undefined ? context.now : Date.parse(message.created_at),
    };
  });
  return { messages: redacted, counts };
}

/** The same content has different HMACs in different tenants. */
function computeContentHmac({ secret, tenantId }: RedactionContext, content: string): Buffer {
  return createHmac('sha256', secret).update(`${tenantId}\n${content}`).digest();
}

function addCounts(sum: PiiCounts, counts: PiiCounts): void {
  for (const type of Object.keys(counts) as (keyof PiiCounts)[]) sum[type] += counts[type];
}

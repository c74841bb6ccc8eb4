import type { MessageInput } from '@annals/contracts';
import { createPiiCounts, type PiiCounts, type RedactionOptions, redactText } from '@annals/domain';
import type { NewMessage } from '@annals/storage';
import { createHmac, type KeyObject } from 'node:crypto';

export interface RedactionContext {
  /** Secret of the HMAC over the words as they came in. A KeyObject: preparing a buffer costs five HMACs. */
  readonly secret: KeyObject;
  readonly tenantId: string;
  readonly defaultCountry: RedactionOptions['defaultCountry'];
  /** Epoch ms: when a message without `created_at` was said. */
  readonly now: number;
}

/**
 * Messages as they may be stored (docs/reference/privacy.md#redaction-before-storage), and how many values of each kind
 * were taken out of them.
 */
export function redactMessages(
  messages: readonly MessageInput[],
  context: RedactionContext,
): { messages: NewMessage[]; counts: PiiCounts } {
  const counts = createPiiCounts();
  const redacted = messages.map((message) => {
    const redaction = redactText(message.content, countryOption(context));
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

function countryOption({ defaultCountry }: RedactionContext): RedactionOptions {
  return defaultCountry === undefined ? {} : { defaultCountry };
}

/** Equal words of two tenants have different HMACs. */
function computeContentHmac({ secret, tenantId }: RedactionContext, content: string): Buffer {
  return createHmac('sha256', secret).update(`${tenantId}\n${content}`).digest();
}

function addCounts(sum: PiiCounts, counts: PiiCounts): void {
  for (const type of Object.keys(counts) as (keyof PiiCounts)[]) sum[type] += counts[type];
}

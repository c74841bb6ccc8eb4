import type { MessageInput } from '@annals/contracts';
import {
  createPiiCounts,
  createSliceMeter,
  type PiiCounts,
  type RedactionOptions,
  redactSliced,
  type Sliced,
} from '@annals/domain';
import type { NewMessage } from '@annals/storage';
import { createHmac, type KeyObject } from 'node:crypto';

export interface RedactionContext {
  /** Key of the HMAC over the unredacted content. A KeyObject, since deriving one from a buffer costs five HMACs. */
  readonly secret: KeyObject;
  /** Former and next keys: a message that was stored under one of them is recognised when it is sent again. */
  readonly acceptedSecrets: readonly KeyObject[];
  readonly tenantId: string;
  /** Of the tenant: its country and its pseudonyms. */
  readonly redaction: RedactionOptions;
  /** Epoch ms: the time of messages without `created_at`. */
  readonly now: number;
}

/**
 * What may be stored (docs/reference/privacy.md#redaction-before-storage), and how much was redacted. Short messages
 * share a slice, long ones have several (docs/reference/request-limits.md#work-in-slices).
 */
export function* redactMessages(
  messages: readonly MessageInput[],
  context: RedactionContext,
): Sliced<{ messages: NewMessage[]; counts: PiiCounts }> {
  const counts = createPiiCounts();
  const meter = createSliceMeter();
  const redacted: NewMessage[] = [];
  for (const message of messages) {
    yield* meter(message.content.length);
    const redaction = yield* redactSliced(message.content, context.redaction);
    addCounts(counts, redaction.counts);
    redacted.push({
      externalId: message.id ?? null,
      role: message.role,
      actorId: message.actor_id ?? null,
      content: redaction.text,
      contentHmac: computeContentHmac(context.secret, context, message.content),
      ...(context.acceptedSecrets.length === 0
        ? {}
        : { acceptedHmacs: computeAcceptedHmacs(context, message.content) }),
      saidAt: message.created_at === undefined ? context.now : Date.parse(message.created_at),
    });
  }
  return { messages: redacted, counts };
}

/** The same content has different HMACs in different tenants. */
export function computeContentHmac(
  secret: KeyObject,
  { tenantId }: Pick<RedactionContext, 'tenantId'>,
  content: string,
): Buffer {
  return createHmac('sha256', secret).update(`${tenantId}\n${content}`).digest();
}

function computeAcceptedHmacs(context: RedactionContext, content: string): Buffer[] {
  return context.acceptedSecrets.map((secret) => computeContentHmac(secret, context, content));
}

function addCounts(sum: PiiCounts, counts: PiiCounts): void {
  for (const type of Object.keys(counts) as (keyof PiiCounts)[]) sum[type] += counts[type];
}

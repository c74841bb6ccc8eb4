import {
  buildWebhookBody,
  type Clock,
  deriveWebhookSecret,
  limitRetryAfter,
  parseRetryAfter,
  planRetry,
  type Rng,
  signWebhook,
} from '@annals/domain';
import { type AttemptOutcome, type FeedHold, listValidSecrets, type NextDelivery } from '@annals/storage';
import type { Secrets } from '../secrets/derive-secrets.js';
import type { AddressRules } from './address-rules.js';
import { type ResolveHost, type SendFailure, sendWebhook, type WebhookReply } from './send-webhook.js';

export interface DeliveryDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly rng: Rng;
  readonly secrets: Pick<Secrets, 'webhooks' | 'accepted'>;
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  /** Timeout of one request, in ms. */
  readonly timeoutMs: number;
  /** A webhook that fails for longer is disabled, in ms. */
  readonly disableAfterMs: number;
}

/** Of one event: where little happens, days may lie between the last failure and one that is by chance. */
const DISABLE_AFTER_ATTEMPTS = 3;

/** Why an attempt failed: there was no response, or one that does not acknowledge. */
export type AttemptFailure = Exclude<SendFailure, 'interrupted'> | 'redirect' | 'gone' | 'status';

export type DeliveredOutcome = AttemptOutcome & { readonly failure: AttemptFailure | null };

/** Sends an event and decides what becomes of it; null when `signal` was aborted, and nothing is known. */
export async function deliverEvent(
  delivery: NextDelivery,
  hold: FeedHold,
  signal: AbortSignal,
  deps: DeliveryDependencies,
): Promise<DeliveredOutcome | null> {
  const { rules, resolve, timeoutMs } = deps;
  const reply = await sendWebhook(buildRequest(delivery, hold, deps), { rules, resolve, timeoutMs, signal });
  return decideOutcome(delivery, reply, deps);
}

function buildRequest(delivery: NextDelivery, { tenantId, webhookKey, owner }: FeedHold, deps: DeliveryDependencies) {
  const { type, data, occurred_at: occurredAt, seq, event_id: id, include } = delivery;
  const event = { type, tenantId, owner, sequence: Number(seq), occurredAt, data };
  const body = buildWebhookBody(event, include.includes('content') ? delivery.content : undefined);
  const now = deps.clock.now();
  const timestamp = Math.floor(now / 1_000);
  const salts = [delivery, ...listValidSecrets(delivery.previous_secrets, now)].map(({ salt }) => salt);
  const keys = [deps.secrets, ...deps.secrets.accepted].map(({ webhooks }) => webhooks);
  const secrets = salts.flatMap((of) =>
    keys.map((key) => deriveWebhookSecret(key, { tenantId, webhookKey, salt: of })),
  );
  return {
    url: delivery.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Annals-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook({ id, timestamp, body }, secrets),
    },
  };
}

/** What a reply means for its event and its endpoint (docs/reference/webhooks.md#retries). */
function decideOutcome(
  delivery: NextDelivery,
  reply: WebhookReply,
  { clock, rng, disableAfterMs }: Pick<DeliveryDependencies, 'clock' | 'rng' | 'disableAfterMs'>,
): DeliveredOutcome | null {
  if ('failure' in reply && reply.failure === 'interrupted') return null;
  const now = clock.now();
  const responseStatus = 'status' in reply ? reply.status : null;
  const common = { delivery, responseStatus, retryAt: null, pausedUntil: null, disable: null };
  const failure = explain(reply);
  if (failure === null) return { ...common, kind: 'delivered', failure };
  // Kept: the endpoint gets it when it is enabled again.
  if (failure === 'gone') return { ...common, kind: 'retry', failure, retryAt: now, disable: 'gone' };
  const isBusy = responseStatus === 429 || responseStatus === 503;
  const retryAfterMs = isBusy && 'status' in reply ? parseRetryAfter(reply.retryAfter, now) : null;
  const firstFailedAt = delivery.first_failed_at?.getTime() ?? now;
  const attempts = delivery.attempts + 1;
  const retryAt = planRetry({ attempts, firstFailedAt, now, retryAfterMs }, rng);
  const failingMs = now - (delivery.failing_since?.getTime() ?? now);
  return {
    ...common,
    kind: retryAt === null ? 'dead' : 'retry',
    failure,
    retryAt,
    pausedUntil: retryAfterMs === null ? null : now + limitRetryAfter(retryAfterMs)!,
    disable: failingMs >= disableAfterMs && attempts >= DISABLE_AFTER_ATTEMPTS ? 'failing' : null,
  };
}

function explain(reply: WebhookReply): AttemptFailure | null {
  if ('failure' in reply) return reply.failure as Exclude<SendFailure, 'interrupted'>;
  const { status } = reply;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'status';
}

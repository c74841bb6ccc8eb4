import { z } from 'zod';
import { externalIdSchema, instantSchema, pageOf, pageShape, uuidSchema } from '../primitives.js';

/** What an endpoint can ask for (docs/reference/webhooks.md#events). */
export const WEBHOOK_EVENTS = [
  'memory.created',
  'memory.updated',
  'memory.superseded',
  'memory.merged',
  'memory.deleted',
  'memory.expired',
  'memory.evicted',
  'memory.restored',
  'memory.reverted',
  'memory.quarantined',
  'memory.forgotten',
  'message.forgotten',
  'conversation.forgotten',
  'batch.done',
  'batch.failed',
  'consolidation.done',
  'budget.threshold_reached',
  'user.erased',
] as const;

/** What is sent: also tests. */
export const WEBHOOK_EVENT_TYPES = [...WEBHOOK_EVENTS, 'webhook.test'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export const WEBHOOK_INCLUDES = ['content'] as const;
export type WebhookInclude = (typeof WEBHOOK_INCLUDES)[number];

/** `paused` by a client, `gone` by the receiver (410), `failing` for days. */
export const WEBHOOK_DISABLED_REASONS = ['paused', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

export const MAX_WEBHOOK_URL_LENGTH = 2_000;
/** Deliveries that one request sends again; the rest by further requests. */
export const MAX_REPLAYED_DELIVERIES = 10_000;

const webhookIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
    error: 'Use lower-case letters, digits, "-" and "_", for example "billing".',
  })
  .describe('The name of the endpoint, which you choose.');
export const webhookParams = z.strictObject({ id: webhookIdSchema });

const URL_ERROR = 'Send a URL, for example "https://example.com/hooks/annals".';

export const putWebhookSchema = z.strictObject({
  id: webhookIdSchema,
  url: z
    .url({ error: URL_ERROR })
    .max(MAX_WEBHOOK_URL_LENGTH, { error: `Send a URL of at most ${MAX_WEBHOOK_URL_LENGTH} characters.` })
    // URL parsers read more than anybody means: without //, with \ for /, without the control characters in it.
    .refine((url) => /^https?:\/\/[^\s\\\p{C}]+$/iu.test(url), { error: URL_ERROR })
    .describe(
      'Where events are sent to. Without user name, password and fragment; `https`, unless the operator allows more. Stored as browsers write it: `https://example.com` is `https://example.com/`.',
    ),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(WEBHOOK_EVENTS.length)
    .default([...WEBHOOK_EVENTS])
    .describe('The types to be told of; by default all. `user.erased` is sent to every endpoint.'),
  include: z
    .array(z.enum(WEBHOOK_INCLUDES))
    .max(WEBHOOK_INCLUDES.length)
    .default([])
    .describe(
      '`content`: also the words of a memory that was not deleted, forgotten or quarantined when its event is sent. By default ids alone.',
    ),
  enabled: z
    .boolean()
    .default(true)
    .describe('`false` keeps events until the endpoint is enabled again, for as long as deliveries are kept.'),
});
export type PutWebhook = z.infer<typeof putWebhookSchema>;

const timeSchema = z.string().nullable();

/** An endpoint, without its secret. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  include: z.array(z.enum(WEBHOOK_INCLUDES)),
  enabled: z.boolean(),
  disabled_reason: z.enum(WEBHOOK_DISABLED_REASONS).nullable(),
  failing_since: timeSchema.describe('When the first of the last attempts failed; null when the last one succeeded.'),
  last_delivered_at: timeSchema.describe('To the minute.'),
  previous_secret_until: timeSchema.describe('Until then a secret before the last rotation signs as well.'),
  pending: z.number().int().describe('Events that are still to be sent.'),
  oldest_pending_at: timeSchema.describe('When the oldest of these happened.'),
  dead: z.number().int().describe('Events that were given up.'),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;
export const webhookPageSchema = pageOf(webhookSchema);
export type WebhookPage = z.infer<typeof webhookPageSchema>;

const secretSchema = z
  .string()
  .describe('Verifies signatures (Standard Webhooks: `whsec_` and 32 bytes in base64). It is shown only once.');

/** With the secret where it is new, but not in the response of a repetition under the same Idempotency-Key. */
export const webhookWithSecretSchema = webhookSchema.extend({ secret: secretSchema.optional() });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

/** A rotation keeps the secret before for a week at most, so that a leaked one ends. */
const MAX_OVERLAP_HOURS = 168;

export const rotateWebhookSecretSchema = z.strictObject({
  overlap_hours: z
    .number()
    .int()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(24)
    .describe('How long the secret before signs as well.'),
});

export const webhookDeletedSchema = z.object({
  id: z.string(),
  dropped: z.number().int().describe('Events that were still to be sent.'),
});
export type WebhookDeleted = z.infer<typeof webhookDeletedSchema>;

export const webhookTestedSchema = z.object({ event_id: uuidSchema });
export type WebhookTested = z.infer<typeof webhookTestedSchema>;

export const listWebhookDeliveriesQuerySchema = z.strictObject({
  status: z.enum(WEBHOOK_DELIVERY_STATUSES).optional(),
  user_id: externalIdSchema.optional(),
  ...pageShape,
});
export type ListWebhookDeliveriesQuery = z.infer<typeof listWebhookDeliveriesQuerySchema>;

export const webhookDeliverySchema = z.object({
  event_id: z.string().describe('Sent as `webhook-id`; the same in every attempt.'),
  type: z.enum(WEBHOOK_EVENT_TYPES),
  user_id: z.string().nullable(),
  memory_id: z.string().nullable(),
  sequence: z.number().int().describe('The place among the events of the user for this endpoint.'),
  occurred_at: z.string(),
  status: z.enum(WEBHOOK_DELIVERY_STATUSES),
  attempts: z.number().int(),
  response_status: z.number().int().nullable().describe('Of the last attempt; null without a response.'),
  failure: z.string().nullable().describe('A code for why the last attempt failed.'),
  settled_at: timeSchema.describe('When it was delivered or given up.'),
});
export const webhookDeliveryPageSchema = pageOf(webhookDeliverySchema);
export type WebhookDeliveryPage = z.infer<typeof webhookDeliveryPageSchema>;

export const replayWebhookSchema = z
  .strictObject({
    status: z
      .enum(['dead', 'delivered', 'any'])
      .default('dead')
      .describe('What to send again: what was given up, what was delivered, or both.'),
    after: instantSchema.optional().describe('Only what happened at or after that time.'),
    before: instantSchema.optional().describe('Only what happened before that time.'),
    user_id: externalIdSchema.optional().describe('Only what is about this user.'),
    event_ids: z.array(uuidSchema).min(1).max(1_000).optional().describe('Only these events.'),
  })
  .refine(({ status, ...range }) => status === 'dead' || Object.values(range).some((bound) => bound !== undefined), {
    error: 'Send `after`, `before`, `user_id` or `event_ids` as well: without one, everything would be sent again.',
    path: ['status'],
  })
  .refine(({ after, before }) => after === undefined || before === undefined || after < before, {
    error: 'Send a time later than `after`: otherwise the range is empty.',
    path: ['before'],
  });
export type ReplayWebhook = z.infer<typeof replayWebhookSchema>;

export const webhookReplayedSchema = z.object({
  replayed: z
    .number()
    .int()
    .describe(`Events that will be sent again; at most ${MAX_REPLAYED_DELIVERIES} by one request.`),
  has_more: z.boolean().describe('More events match: send the request again.'),
});
export type WebhookReplayed = z.infer<typeof webhookReplayedSchema>;

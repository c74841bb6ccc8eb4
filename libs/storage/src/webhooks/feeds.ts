import type { WebhookDisabledReason } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { WebhookDeliveryEntity, WebhookEntity, WebhookFeedEntity } from '../entities/webhook.entity.js';
import { insertEvents } from '../events/insert-events.js';
import { columnsSql } from '../query/binder.js';
import { makeDue } from './webhooks.js';

/** What identifies the claim of a feed: nobody else sends what is in it until its lease ends. */
export interface FeedHold {
  readonly tenantId: string;
  readonly owner: string;
  readonly webhookKey: string;
  readonly fence: number;
  /** Whether the last three attempts of the endpoint failed. */
  readonly isFailing: boolean;
}

type LeasedRow = Pick<WebhookFeedEntity, 'tenant_id' | 'owner' | 'webhook_key' | 'fence'> & { is_failing: boolean };

export interface FeedLease {
  /** Epoch ms. */
  readonly now: number;
  readonly limit: number;
  /** How many of these may belong to endpoints that fail. */
  readonly limitFailing: number;
  /** Requests that one endpoint gets at a time; one that fails gets one. */
  readonly perWebhook: number;
  readonly leaseMs: number;
}

/** Claims feeds of any tenant that are due, endpoints in turn, those that fail last. */
export async function leaseWebhookFeeds(database: Database, lease: FeedLease): Promise<FeedHold[]> {
  const parameters = [new Date(lease.now), lease.limit, lease.limitFailing, lease.perWebhook, lease.leaseMs];
  const rows = await database.callAcrossTenants<LeasedRow>('lease_webhook_feeds', parameters);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    owner: row.owner,
    webhookKey: row.webhook_key,
    fence: Number(row.fence),
    isFailing: row.is_failing,
  }));
}

const DELIVERY = ['seq', 'event_id', 'type', 'data', 'occurred_at', 'attempts', 'first_failed_at'] as const;
const ENDPOINT = ['id', 'url', 'include', 'salt', 'previous_salt', 'previous_until', 'failing_since'] as const;

/** The first pending event of a feed, with its endpoint. */
export type NextDelivery = Pick<WebhookDeliveryEntity, (typeof DELIVERY)[number]> &
  Pick<WebhookEntity, (typeof ENDPOINT)[number]> & {
    /** The words of the memory, if the endpoint asked for them; null of one that is not in use (any more). */
    readonly content: MemoryEntity['content'] | null;
  };

/** What one attempt came to. Times are epoch ms. */
export interface AttemptOutcome {
  readonly delivery: NextDelivery;
  readonly kind: 'delivered' | 'retry' | 'dead';
  readonly responseStatus: number | null;
  /** A code. */
  readonly failure: string | null;
  /** Of a `retry`: when to try again. */
  readonly retryAt: number | null;
  /** No request to this endpoint before then, as it asked for. */
  readonly pausedUntil: number | null;
  /** Why the endpoint gets nothing more. */
  readonly disable: Exclude<WebhookDisabledReason, 'paused'> | null;
}

interface Advance {
  /** Of the operational event of an endpoint that is disabled. */
  readonly ids: IdGenerator;
  /** Epoch ms. */
  readonly now: number;
  /** For how long the feed is held from now on. */
  readonly leaseMs: number;
}

/**
 * Records the last attempt in a feed that is held, if there was one, and returns the next event to send. `null`: there is
 * none for now, and the feed is given back. `lost`: another sender has the feed; nothing was recorded, so that the event
 * of the attempt is sent again. Two round trips.
 */
export async function advanceFeed(
  tx: Tx,
  hold: FeedHold,
  outcome: AttemptOutcome | null,
  { now, leaseMs, ids }: Advance,
): Promise<NextDelivery | null | 'lost'> {
  // From here on whoever notes an event waits, and finds the feed without a time when it is empty.
  const held = await tx.execute(
    'UPDATE webhook_feeds SET leased_until = $4 WHERE webhook_key = $1 AND owner = $2 AND fence = $3',
    [hold.webhookKey, hold.owner, hold.fence, new Date(now + leaseMs)],
  );
  if (held === 0) return 'lost';
  const recorded = outcome ? recordAttempt(tx, hold, outcome, { now, ids }) : [];
  const [[next]] = await allOf([
    outcome?.kind === 'retry' ? Promise.resolve([]) : findNext(tx, hold, now),
    ...recorded,
  ]);
  if (next) return next;
  await tx.execute(
    `UPDATE webhook_feeds l
        SET leased_until = NULL,
            due_at = CASE WHEN EXISTS (SELECT FROM webhook_deliveries d
                                        WHERE d.webhook_key = $1 AND d.owner = $2 AND d.status = 'pending') THEN l.due_at END
      WHERE webhook_key = $1 AND owner = $2`,
    [hold.webhookKey, hold.owner],
  );
  return null;
}

function findNext(tx: Tx, { webhookKey, owner }: FeedHold, now: number): Promise<NextDelivery[]> {
  return tx.query<NextDelivery>(
    `SELECT ${columnsSql('d', DELIVERY)}, ${columnsSql('w', ENDPOINT)}, m.content
       FROM webhooks w
       JOIN LATERAL (SELECT * FROM webhook_deliveries d
                      WHERE d.webhook_key = w.webhook_key AND d.owner = $2 AND d.status = 'pending'
                      ORDER BY d.seq LIMIT 1) d ON true
       LEFT JOIN memories m ON m.id = d.memory_id AND m.state = 'active' AND 'content' = ANY (w.include)
      WHERE w.webhook_key = $1 AND w.disabled_at IS NULL AND (w.paused_until IS NULL OR w.paused_until <= $3)`,
    [webhookKey, owner, new Date(now)],
  );
}

/** Gives a feed back whose events are due still, behind others that are due. */
export async function releaseFeed(tx: Tx, { webhookKey, owner, fence }: FeedHold, now: number): Promise<void> {
  await tx.execute(
    `UPDATE webhook_feeds SET leased_until = NULL, due_at = greatest(due_at, $4)
      WHERE webhook_key = $1 AND owner = $2 AND fence = $3`,
    [webhookKey, owner, fence, new Date(now)],
  );
}

/** In order, since the endpoint comes behind its feeds. */
function recordAttempt(
  tx: Tx,
  hold: FeedHold,
  outcome: AttemptOutcome,
  { now, ids }: Pick<Advance, 'now' | 'ids'>,
): Promise<unknown>[] {
  const { webhookKey, owner } = hold;
  const { delivery, kind } = outcome;
  const status = kind === 'retry' ? 'pending' : kind;
  const at = new Date(now);
  const statements: Promise<unknown>[] = [
    tx.execute(
      `UPDATE webhook_deliveries
          SET status = $4, attempts = attempts + 1, response_status = $5, failure = $6,
              first_failed_at = CASE WHEN $4 = 'delivered' THEN first_failed_at ELSE coalesce(first_failed_at, $7) END,
              settled_at = CASE WHEN $4 <> 'pending' THEN $7::timestamptz END
        -- Also by its id: a user who returns behind an erasure begins to count anew.
        WHERE webhook_key = $1 AND owner = $2 AND seq = $3 AND event_id = $8 AND status = 'pending'`,
      [webhookKey, owner, delivery.seq, status, outcome.responseStatus, outcome.failure, at, delivery.event_id],
    ),
  ];
  if (kind === 'retry') {
    statements.push(
      tx.execute('UPDATE webhook_feeds SET due_at = $3 WHERE webhook_key = $1 AND owner = $2', [
        webhookKey,
        owner,
        new Date(outcome.retryAt!),
      ]),
    );
  }
  if (outcome.disable !== null) {
    statements.push(insertEvents(tx, { userId: null, threadId: null }, [DISABLED], () => ids.next(), now));
  }
  if (kind !== 'delivered') return [...statements, noteFailure(tx, webhookKey, outcome, now)];
  if (delivery.type === 'user.erased') statements.push(...forgetFeed(tx, hold, delivery.seq));
  return [...statements, ...noteSuccess(tx, webhookKey, delivery.failing_since, now)];
}

/** The receiver knows that the user was erased: nothing here names them any more, unless they have returned. */
function forgetFeed(tx: Tx, { webhookKey, owner }: FeedHold, seq: string): Promise<unknown>[] {
  return [
    tx.execute('DELETE FROM webhook_deliveries WHERE webhook_key = $1 AND owner = $2 AND seq <= $3', [
      webhookKey,
      owner,
      seq,
    ]),
    tx.execute('DELETE FROM webhook_feeds WHERE webhook_key = $1 AND owner = $2 AND last_seq = $3', [
      webhookKey,
      owner,
      seq,
    ]),
  ];
}

function noteSuccess(tx: Tx, webhookKey: string, failingSince: Date | null, now: number): Promise<unknown>[] {
  const wasOut = failingSince !== null && now - failingSince.getTime() >= OUTAGE_MS;
  return [
    ...(wasOut ? [makeDue(tx, webhookKey, { now, skipsLocked: true })] : []),
    tx.execute(
      `UPDATE webhooks SET failures = 0, failing_since = NULL, last_delivered_at = $2
        WHERE webhook_key = $1
          AND (failures > 0 OR failing_since IS NOT NULL OR last_delivered_at IS NULL OR last_delivered_at <= $3)`,
      [webhookKey, new Date(now), new Date(now - NOTE_SUCCESS_MS)],
    ),
  ];
}

function noteFailure(tx: Tx, webhookKey: string, outcome: AttemptOutcome, now: number): Promise<number> {
  const { pausedUntil, disable } = outcome;
  return tx.execute(
    `UPDATE webhooks
        SET failures = failures + 1, failing_since = coalesce(failing_since, $2),
            paused_until = greatest(paused_until, $3),
            disabled_at = CASE WHEN $4::text IS NULL THEN disabled_at ELSE coalesce(disabled_at, $2) END,
            disabled_reason = coalesce(disabled_reason, $4)
      WHERE webhook_key = $1`,
    [webhookKey, new Date(now), pausedUntil === null ? null : new Date(pausedUntil), disable],
  );
}

/** The operational event of an endpoint that is disabled (docs/reference/audit.md#operational-events). */
const DISABLED = {
  node: 'webhook',
  op: 'disable',
  status: 'ok',
  memoryId: null,
  category: null,
  sim: null,
} as const;

/** Of an endpoint that works, its last success is noted once in this time: feeds do not wait for each other. */
const NOTE_SUCCESS_MS = 60_000;

/** An outage of this length: what waits for a retry is due as soon as it is over. */
const OUTAGE_MS = 10 * 60_000;

import type { IdGenerator } from '@annals/domain';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { WebhookDeliveryEntity, WebhookEntity, WebhookFeedEntity } from '../entities/webhook.entity.js';
import { columnsSql } from '../query/binder.js';
import { type AttemptOutcome, type FailureRecording, recordFailure, recordSuccess } from './record-attempt.js';

/** What identifies the claim of a feed: nobody else sends what is in it until its lease ends. */
export interface FeedHold {
  readonly tenantId: string;
  readonly owner: string;
  readonly webhookKey: string;
  readonly leaseId: string;
  /** Whether the last three attempts of the endpoint failed. */
  readonly isFailing: boolean;
}

type LeasedRow = Pick<WebhookFeedEntity, 'tenant_id' | 'owner' | 'webhook_key' | 'lease_id'> & { is_failing: boolean };

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
    leaseId: row.lease_id!,
    isFailing: row.is_failing,
  }));
}

const DELIVERY = ['seq', 'event_id', 'type', 'data', 'occurred_at', 'attempts', 'first_failed_at'] as const;
const ENDPOINT = ['id', 'url', 'include', 'salt', 'previous_secrets', 'failing_since', 'revision'] as const;

/** The first pending event of a feed, with its endpoint. */
export type NextDelivery = Pick<WebhookDeliveryEntity, (typeof DELIVERY)[number]> &
  Pick<WebhookEntity, (typeof ENDPOINT)[number]> & {
    /** The words of the memory, if the endpoint asked for them; null of one that was deleted, forgotten or quarantined. */
    readonly content: MemoryEntity['content'] | null;
  };

interface Advance {
  /** Of the operational event of an endpoint that is disabled. */
  readonly ids: IdGenerator;
  /** Epoch ms. */
  readonly now: number;
  /** For how long the feed is held from now on. */
  readonly leaseMs: number;
}

export interface Advanced {
  /** The next event to send; null: there is none for now, and the feed was given back. */
  readonly next: NextDelivery | null;
  /**
   * Attempts of the endpoint in a row that failed, this one included; null: there was no attempt, or it was asked of what
   * the endpoint was before, which says nothing about it.
   */
  readonly failures: number | null;
}

/**
 * Records the last attempt in a feed that is held, if there was one, and returns the next event to send. `lost`: another
 * sender has the feed; nothing was recorded, so that the event of the attempt is sent again. `locked`: somebody else works
 * on the feed; nothing was done, so ask again. Two round trips, three behind a failure.
 */
export async function advanceFeed(
  tx: Tx,
  hold: FeedHold,
  outcome: AttemptOutcome | null,
  { now, leaseMs, ids }: Advance,
): Promise<Advanced | 'lost' | 'locked'> {
  // From here on whoever notes an event waits, and finds the feed without a time when it is empty.
  const held = await holdFeed(tx, hold, now + leaseMs);
  if (typeof held === 'string') return held;
  const advanced =
    outcome === null || outcome.kind === 'delivered'
      ? await goOn(tx, hold, outcome, now)
      : await goOnBehindFailure(tx, hold, outcome, { ...held, now, ids });
  if (advanced.next === null) await giveBack(tx, hold);
  return advanced;
}

async function goOn(tx: Tx, hold: FeedHold, success: AttemptOutcome | null, now: number): Promise<Advanced> {
  const recorded = success ? recordSuccess(tx, hold, success, now) : [];
  const [next] = await allOf([findNext(tx, hold, now), ...recorded]);
  return { next, failures: success && 0 };
}

async function goOnBehindFailure(
  tx: Tx,
  hold: FeedHold,
  failure: AttemptOutcome,
  recording: FailureRecording,
): Promise<Advanced> {
  const failures = await recordFailure(tx, hold, failure, recording);
  const hasToWait = failures !== null && failure.kind === 'retry' && !recording.retriesNow;
  return { next: hasToWait ? null : await findNext(tx, hold, recording.now), failures };
}

/** Who waited for a lock here would keep all tenants waiting, as long as somebody changes the feeds of one of them. */
async function holdFeed(
  tx: Tx,
  { webhookKey, owner, leaseId }: FeedHold,
  until: number,
): Promise<{ readonly retriesNow: boolean } | 'lost' | 'locked'> {
  const [row] = await tx.query<{ retries_now: boolean | null; is_there: boolean }>(
    `WITH free AS (
       SELECT l.retries_now FROM webhook_feeds l
        WHERE l.webhook_key = $1 AND l.owner = $2 AND l.lease_id = $3 FOR UPDATE SKIP LOCKED
     ), held AS (
       UPDATE webhook_feeds l SET leased_until = $4, retries_now = false FROM free f
        WHERE l.webhook_key = $1 AND l.owner = $2 RETURNING f.retries_now)
     SELECT (SELECT h.retries_now FROM held h) AS retries_now,
            EXISTS (SELECT FROM webhook_feeds l WHERE l.webhook_key = $1 AND l.owner = $2 AND l.lease_id = $3) AS is_there`,
    [webhookKey, owner, leaseId, new Date(until)],
  );
  const { retries_now: retriesNow, is_there: isThere } = row!;
  if (retriesNow !== null) return { retriesNow };
  return isThere ? 'locked' : 'lost';
}

async function giveBack(tx: Tx, { webhookKey, owner }: FeedHold): Promise<void> {
  await tx.execute(
    `UPDATE webhook_feeds l
        SET leased_until = NULL,
            due_at = CASE WHEN EXISTS (SELECT FROM webhook_deliveries d
                                        WHERE d.webhook_key = $1 AND d.owner = $2 AND d.status = 'pending') THEN l.due_at END
      WHERE webhook_key = $1 AND owner = $2`,
    [webhookKey, owner],
  );
}

async function findNext(tx: Tx, { webhookKey, owner }: FeedHold, now: number): Promise<NextDelivery | null> {
  const [next] = await tx.query<NextDelivery>(
    `SELECT ${columnsSql('d', DELIVERY)}, ${columnsSql('w', ENDPOINT)}, m.content
       FROM webhooks w
       JOIN LATERAL (SELECT * FROM webhook_deliveries d
                      WHERE d.webhook_key = w.webhook_key AND d.owner = $2 AND d.status = 'pending'
                      ORDER BY d.seq LIMIT 1) d ON true
       LEFT JOIN memories m ON m.id = d.memory_id AND m.state = 'active' AND 'content' = ANY (w.include)
      WHERE w.webhook_key = $1 AND w.disabled_at IS NULL AND (w.paused_until IS NULL OR w.paused_until <= $3)`,
    [webhookKey, owner, new Date(now)],
  );
  return next ?? null;
}

/** Gives a feed back whose events are due still, behind others that are due. */
export async function releaseFeed(tx: Tx, hold: FeedHold, now: number): Promise<'released' | 'lost' | 'locked'> {
  const held = await holdFeed(tx, hold, now);
  if (typeof held === 'string') return held;
  await tx.execute(
    'UPDATE webhook_feeds SET leased_until = NULL, due_at = greatest(due_at, $3) WHERE webhook_key = $1 AND owner = $2',
    [hold.webhookKey, hold.owner, new Date(now)],
  );
  return 'released';
}

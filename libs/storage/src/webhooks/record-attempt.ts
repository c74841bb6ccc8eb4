import type { WebhookDisabledReason } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { WebhookEntity } from '../entities/webhook.entity.js';
import { insertEvents } from '../events/insert-events.js';
import type { FeedHold, NextDelivery } from './feeds.js';
import { makeDue } from './webhooks.js';

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

export interface FailureRecording {
  /** Somebody asked for what waits in the meantime: nothing has to wait. */
  readonly retriesNow: boolean;
  readonly ids: IdGenerator;
  /** Epoch ms. */
  readonly now: number;
}

/** Statements that record an event as delivered, and then what that says about its endpoint. */
export function recordSuccess(tx: Tx, hold: FeedHold, outcome: AttemptOutcome, now: number): Promise<unknown>[] {
  const { type, seq } = outcome.delivery;
  return [
    recordDelivery(tx, hold, outcome, now),
    ...(type === 'user.erased' ? forgetFeed(tx, hold, seq) : []),
    ...noteSuccess(tx, hold, outcome, now),
  ];
}

/**
 * Records an attempt that failed, and what that says about its endpoint. Returns how many have failed in a row; null, and
 * nothing is recorded: somebody has replaced the endpoint since, and what it was before has answered.
 */
export async function recordFailure(
  tx: Tx,
  hold: FeedHold,
  outcome: AttemptOutcome,
  { retriesNow, ids, now }: FailureRecording,
): Promise<number | null> {
  const failures = await noteFailure(tx, hold, outcome, now);
  if (failures === null) return null;
  const { kind, retryAt, disable } = outcome;
  await allOf([
    recordDelivery(tx, hold, outcome, now),
    ...(kind === 'retry' ? [setDue(tx, hold, retriesNow ? now : retryAt!)] : []),
    ...(disable === null ? [] : [insertEvents(tx, NOBODY, [DISABLED], () => ids.next(), now)]),
  ]);
  return failures;
}

function recordDelivery(tx: Tx, { webhookKey, owner }: FeedHold, outcome: AttemptOutcome, now: number) {
  const { delivery, kind, responseStatus, failure } = outcome;
  const status = kind === 'retry' ? 'pending' : kind;
  return tx.execute(
    `UPDATE webhook_deliveries
        SET status = $4, attempts = attempts + 1, response_status = $5, failure = $6,
            first_failed_at = CASE WHEN $4 = 'delivered' THEN first_failed_at ELSE coalesce(first_failed_at, $7) END,
            settled_at = CASE WHEN $4 <> 'pending' THEN $7::timestamptz END
      WHERE webhook_key = $1 AND owner = $2 AND seq = $3 AND status = 'pending'`,
    [webhookKey, owner, delivery.seq, status, responseStatus, failure, new Date(now)],
  );
}

function setDue(tx: Tx, { webhookKey, owner }: FeedHold, at: number): Promise<number> {
  const parameters = [webhookKey, owner, new Date(at)];
  return tx.execute('UPDATE webhook_feeds SET due_at = $3 WHERE webhook_key = $1 AND owner = $2', parameters);
}

/** The receiver knows that the user was erased: nothing here names them any more, unless they have returned. */
function forgetFeed(tx: Tx, { webhookKey, owner }: FeedHold, seq: string): Promise<number>[] {
  const told = [webhookKey, owner, seq];
  return [
    tx.execute('DELETE FROM webhook_deliveries WHERE webhook_key = $1 AND owner = $2 AND seq <= $3', told),
    tx.execute('DELETE FROM webhook_feeds WHERE webhook_key = $1 AND owner = $2 AND last_seq = $3', told),
  ];
}

function noteSuccess(
  tx: Tx,
  { webhookKey }: FeedHold,
  { delivery: { failing_since: failingSince, revision } }: AttemptOutcome,
  now: number,
): Promise<unknown>[] {
  const wasOut = failingSince !== null && now - failingSince.getTime() >= OUTAGE_MS;
  return [
    ...(wasOut ? [makeDue(tx, webhookKey, { now, skipsLocked: true })] : []),
    tx.execute(
      `UPDATE webhooks SET failures = 0, failing_since = NULL, last_delivered_at = $2
        WHERE webhook_key = $1 AND revision = $4
          AND (failures > 0 OR failing_since IS NOT NULL OR last_delivered_at IS NULL OR last_delivered_at <= $3)`,
      [webhookKey, new Date(now), new Date(now - NOTE_SUCCESS_MS), revision],
    ),
  ];
}

/** How many attempts in a row have failed; null: somebody has replaced the endpoint. */
async function noteFailure(
  tx: Tx,
  { webhookKey }: FeedHold,
  outcome: AttemptOutcome,
  now: number,
): Promise<number | null> {
  const { pausedUntil, disable, delivery } = outcome;
  const [row] = await tx.query<Pick<WebhookEntity, 'failures'>>(
    `UPDATE webhooks
        SET failures = failures + 1, failing_since = coalesce(failing_since, $2),
            paused_until = greatest(paused_until, $3),
            disabled_at = CASE WHEN $4::text IS NULL THEN disabled_at ELSE coalesce(disabled_at, $2) END,
            disabled_reason = coalesce(disabled_reason, $4)
      WHERE webhook_key = $1 AND revision = $5 RETURNING failures`,
    [webhookKey, new Date(now), pausedUntil === null ? null : new Date(pausedUntil), disable, delivery.revision],
  );
  return row?.failures ?? null;
}

const NOBODY = { userId: null, threadId: null };

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

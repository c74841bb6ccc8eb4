import type { PutWebhook } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { PreviousSecret, WebhookEntity } from '../entities/webhook.entity.js';

/** Whose secret it is: the secret is derived from both (docs/reference/webhooks.md#secrets). */
export interface WebhookSalt {
  readonly webhookKey: string;
  readonly salt: string;
}

export interface PutWebhookCommand extends PutWebhook {
  /** For one that is created. */
  readonly created: WebhookSalt;
  /** How many a tenant may have. */
  readonly limit: number;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Creates an endpoint, or replaces the one of its id, which keeps its secret and what waits for it. `created`: what its
 * secret is derived from; null: it was there. Enabling an endpoint makes everything due that waits for it, with all
 * the attempts of a new event.
 */
export async function putWebhook(
  tx: Tx,
  command: PutWebhookCommand,
): Promise<{ readonly created: WebhookSalt | null } | 'too_many'> {
  const { id, url, events, include, enabled, created, limit, now } = command;
  const at = new Date(now);
  await lockWebhooks(tx);
  const found = await tx.query<Pick<WebhookEntity, 'webhook_key' | 'id'>>('SELECT webhook_key, id FROM webhooks');
  const existing = found.find((row) => row.id === id);
  const settings = [url, [...new Set(events)], [...new Set(include)]];
  if (existing) {
    // Feeds before their endpoint, as senders lock.
    if (enabled) await makeDue(tx, existing.webhook_key, { now, startsAnew: true });
    await tx.execute(
      `UPDATE webhooks
          SET url = $2, events = $3, include = $4, updated_at = $5, revision = revision + 1,
              failures = 0, failing_since = NULL, paused_until = NULL,
              disabled_at = CASE WHEN $6 THEN NULL ELSE coalesce(disabled_at, $5) END,
              disabled_reason = CASE WHEN $6 THEN NULL ELSE coalesce(disabled_reason, 'paused') END
        WHERE webhook_key = $1`,
      [existing.webhook_key, ...settings, at, enabled],
    );
    // An attempt that failed since the first time waits as well.
    if (enabled) await makeDue(tx, existing.webhook_key, { now, skipsLocked: true, startsAnew: true });
    return { created: null };
  }
  if (found.length >= limit) return 'too_many';
  await tx.execute(
    `INSERT INTO webhooks (webhook_key, id, salt, url, events, include, disabled_at, disabled_reason, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [created.webhookKey, id, created.salt, ...settings, enabled ? null : at, enabled ? null : 'paused', at],
  );
  return { created };
}

interface DueOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Not in feeds that somebody has locked: for who holds a feed. */
  readonly skipsLocked?: boolean;
  /** With all the attempts of a new event. */
  readonly startsAnew?: boolean;
}

/** What waits for a retry is due now. */
export async function makeDue(
  tx: Tx,
  webhookKey: string,
  { now, skipsLocked = false, startsAnew = false }: DueOptions,
): Promise<void> {
  await tx.execute(
    `WITH waiting AS (
       SELECT l.owner FROM webhook_feeds l WHERE l.webhook_key = $1 AND l.due_at > $2 ORDER BY l.owner
          FOR UPDATE${skipsLocked ? ' SKIP LOCKED' : ''}
     )${startsAnew ? START_ANEW : ''}
     UPDATE webhook_feeds l SET due_at = $2 FROM waiting w WHERE l.webhook_key = $1 AND l.owner = w.owner`,
    [webhookKey, new Date(now)],
  );
}

const START_ANEW = `, started AS (
       UPDATE webhook_deliveries d SET attempts = 0, first_failed_at = NULL FROM waiting w
        WHERE d.webhook_key = $1 AND d.owner = w.owner AND d.status = 'pending' AND d.attempts > 0)`;

/** One change of a tenant's endpoints at a time. Waits for nobody else: writes of memories take no lock here. */
async function lockWebhooks(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks ${tx.tenantId}`]);
}

/** A client that loses the response of a rotation rotates again, and still has the secret before the first one. */
const MAX_PREVIOUS_SECRETS = 5;

/**
 * Gives an endpoint another secret. The one before signs until `overlapUntil` (epoch ms), and those before it no longer
 * than that and than they were promised to. Null without the endpoint.
 */
export async function rotateWebhookSecret(
  tx: Tx,
  { id, salt, overlapUntil, now }: { id: string; salt: string; overlapUntil: number; now: number },
): Promise<WebhookSalt | null> {
  const [row] = await tx.query<Pick<WebhookEntity, 'webhook_key' | 'salt' | 'previous_secrets'>>(
    'SELECT webhook_key, salt, previous_secrets FROM webhooks WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!row) return null;
  const limit = new Date(overlapUntil).toISOString();
  const previous: PreviousSecret[] = [
    { salt: row.salt, until: limit },
    ...row.previous_secrets.map((secret) => ({ ...secret, until: secret.until < limit ? secret.until : limit })),
  ];
  const valid = listValidSecrets(previous, now).slice(0, MAX_PREVIOUS_SECRETS);
  await tx.execute('UPDATE webhooks SET salt = $2, previous_secrets = $3, updated_at = $4 WHERE webhook_key = $1', [
    row.webhook_key,
    salt,
    JSON.stringify(valid),
    new Date(now),
  ]);
  return { webhookKey: row.webhook_key, salt };
}

/** Those of former secrets that sign as well at a time (epoch ms). */
export function listValidSecrets(previous: readonly PreviousSecret[], now: number): readonly PreviousSecret[] {
  return previous.filter(({ until }) => Date.parse(until) > now);
}

/** Deletes an endpoint with all its deliveries. Returns how many were pending; null without the endpoint. */
export async function deleteWebhook(tx: Tx, id: string): Promise<number | null> {
  tx.allowBulk();
  await lockWebhooks(tx);
  const webhookKey = await findWebhookKey(tx, id);
  if (webhookKey === null) return null;
  await tx.query('SELECT FROM webhook_feeds WHERE webhook_key = $1 ORDER BY owner FOR UPDATE', [webhookKey]);
  const [dropped] = await tx.query<{ pending: string }>(
    `WITH gone AS (DELETE FROM webhook_deliveries WHERE webhook_key = $1 RETURNING status)
     SELECT count(*) FILTER (WHERE status = 'pending') AS pending FROM gone`,
    [webhookKey],
  );
  await tx.execute('DELETE FROM webhook_feeds WHERE webhook_key = $1', [webhookKey]);
  await tx.execute('DELETE FROM webhooks WHERE webhook_key = $1', [webhookKey]);
  return Number(dropped!.pending);
}

export async function findWebhookKey(tx: Tx, id: string): Promise<string | null> {
  const [row] = await tx.query<Pick<WebhookEntity, 'webhook_key'>>('SELECT webhook_key FROM webhooks WHERE id = $1', [
    id,
  ]);
  return row?.webhook_key ?? null;
}

/** Notes an event `webhook.test` for one endpoint. What is before it in its feed is tried again at once. */
export async function testWebhook(tx: Tx, webhookKey: string, eventId: string, now: number): Promise<void> {
  const at = new Date(now);
  await tx.query('SELECT test_webhook($1, $2, $3)', [webhookKey, eventId, at]);
  await tx.execute(`UPDATE webhook_feeds SET ${DUE_NOW} WHERE webhook_key = $1 AND owner = ''`, [webhookKey, at]);
}

/** Of a feed whose events somebody asked for, by a test or a replay; $2: now. */
export const DUE_NOW = 'due_at = least(due_at, $2), retries_now = leased_until IS NOT NULL';

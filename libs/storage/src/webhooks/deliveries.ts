import {
  type ListWebhookDeliveriesQuery,
  MAX_REPLAYED_DELIVERIES,
  type ReplayWebhook,
  type WebhookDeliveryPage,
  type WebhookReplayed,
} from '@annals/contracts';
import { userOfFeed } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { WebhookDeliveryEntity } from '../entities/webhook.entity.js';
import { Binder, columnsSql } from '../query/binder.js';
import { DUE_NOW } from './webhooks.js';

const COLUMNS = [
  'event_id',
  'type',
  'owner',
  'memory_id',
  'seq',
  'occurred_at',
  'status',
  'attempts',
  'response_status',
  'failure',
  'settled_at',
] as const satisfies readonly (keyof WebhookDeliveryEntity)[];

type DeliveryRow = Pick<WebhookDeliveryEntity, (typeof COLUMNS)[number]> & { time: string };

/** Deliveries to an endpoint by filters, what happened last first. Throws InvalidCursorError. */
export async function listWebhookDeliveries(
  tx: Tx,
  webhookKey: string,
  query: ListWebhookDeliveriesQuery,
): Promise<WebhookDeliveryPage> {
  const before = parseCursor(query.cursor, ['time', 'uuid']);
  const binder = new Binder();
  binder.where((p) => `d.webhook_key = ${p}`, webhookKey);
  binder.where((p) => `d.status = ${p}`, query.status);
  binder.where((p) => `d.owner = ${p}`, query.user_id);
  if (before)
    binder.where(
      (p) => `(d.occurred_at, d.event_id) < (${p}::timestamptz, ${binder.bind(before[1])}::uuid)`,
      before[0],
    );
  const rows = await tx.query<DeliveryRow>(
    `SELECT ${columnsSql('d', COLUMNS)}, d.occurred_at::text AS time FROM webhook_deliveries d
      WHERE ${binder.whereSql()} ORDER BY d.occurred_at DESC, d.event_id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(
    rows,
    query.limit,
    ({ owner, seq, occurred_at: occurredAt, settled_at: settledAt, time: _time, ...row }) => ({
      ...row,
      user_id: userOfFeed(owner),
      sequence: Number(seq),
      occurred_at: occurredAt.toISOString(),
      settled_at: settledAt?.toISOString() ?? null,
    }),
    (row) => [row.time, row.event_id],
  );
}

/**
 * Makes deliveries pending again, the oldest first, as if they had not been tried; each feed sends them before what waits
 * behind them.
 */
export async function replayWebhook(
  tx: Tx,
  webhookKey: string,
  { status, after, before, user_id: userId, event_ids: eventIds }: ReplayWebhook,
  now: number,
): Promise<WebhookReplayed> {
  tx.allowBulk();
  const binder = new Binder();
  binder.where((p) => `d.webhook_key = ${p}`, webhookKey);
  binder.where((p) => `d.status = ANY (${p})`, status === 'any' ? ['dead', 'delivered'] : [status]);
  binder.where((p) => `d.occurred_at >= ${p}`, after);
  binder.where((p) => `d.occurred_at < ${p}`, before);
  binder.where((p) => `d.owner = ${p}`, userId);
  binder.where((p) => `d.event_id = ANY (${p}::uuid[])`, eventIds);
  const found = await tx.query<Pick<WebhookDeliveryEntity, 'owner' | 'seq'>>(
    `SELECT d.owner, d.seq FROM webhook_deliveries d
      WHERE ${binder.whereSql()} ORDER BY d.occurred_at, d.event_id LIMIT ${binder.bind(MAX_REPLAYED_DELIVERIES + 1)}`,
    binder.values,
  );
  const chosen = found.slice(0, MAX_REPLAYED_DELIVERIES);
  const feeds = [...new Set(chosen.map(({ owner }) => owner))].toSorted();
  // Feeds before what is in them, as senders lock.
  await tx.query('SELECT FROM webhook_feeds WHERE webhook_key = $1 AND owner = ANY ($2) ORDER BY owner FOR UPDATE', [
    webhookKey,
    feeds,
  ]);
  const replayed = await tx.execute(
    `UPDATE webhook_deliveries d
        SET status = 'pending', attempts = 0, first_failed_at = NULL, response_status = NULL, failure = NULL, settled_at = NULL
       FROM unnest($2::text[], $3::bigint[]) AS r (owner, seq)
      WHERE d.webhook_key = $1 AND d.owner = r.owner AND d.seq = r.seq AND d.status <> 'pending'`,
    [webhookKey, chosen.map(({ owner }) => owner), chosen.map(({ seq }) => seq)],
  );
  await tx.execute(`UPDATE webhook_feeds SET ${DUE_NOW} WHERE webhook_key = $1 AND owner = ANY ($3)`, [
    webhookKey,
    new Date(now),
    feeds,
  ]);
  return { replayed, has_more: found.length > chosen.length };
}

/** Deletes at most `limit` of the oldest deliveries before `before` (epoch ms) in every tenant, and returns how many. */
export function purgeWebhookDeliveries(database: Database, before: number, limit: number): Promise<number> {
  return database.callScalarAcrossTenants<number>('purge_webhook_deliveries', [new Date(before), limit]);
}

/** Endpoints and deliveries of all tenants. */
export interface WebhookStanding {
  readonly endpoints: number;
  readonly disabled: number;
  /** Not disabled, and their last three attempts failed. */
  readonly failing: number;
  readonly pending: number;
  readonly dead: number;
  /** Epoch ms since when something is due at an endpoint that does not fail and is sent nothing; null without it. */
  readonly oldestDueAt: number | null;
}

type StandingRow = Record<'endpoints' | 'disabled' | 'failing' | 'pending' | 'dead', string> & {
  oldest_due_at: Date | null;
};

/** `now`: epoch ms. */
export async function readWebhookStanding(database: Database, now: number): Promise<WebhookStanding> {
  const [row] = await database.callAcrossTenants<StandingRow>('webhook_standing', [new Date(now)]);
  const { oldest_due_at: oldest, ...counts } = row!;
  return {
    endpoints: Number(counts.endpoints),
    disabled: Number(counts.disabled),
    failing: Number(counts.failing),
    pending: Number(counts.pending),
    dead: Number(counts.dead),
    oldestDueAt: oldest?.getTime() ?? null,
  };
}

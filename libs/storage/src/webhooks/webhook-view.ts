import { type Webhook, WEBHOOK_EVENTS, WEBHOOK_INCLUDES, type WebhookPage } from '@annals/contracts';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { WebhookEntity } from '../entities/webhook.entity.js';
import { columnsSql } from '../query/binder.js';
import { listValidSecrets } from './webhooks.js';

const COLUMNS = [
  'id',
  'url',
  'events',
  'include',
  'disabled_at',
  'disabled_reason',
  'failing_since',
  'last_delivered_at',
  'previous_secrets',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof WebhookEntity)[];

type WebhookRow = Pick<WebhookEntity, (typeof COLUMNS)[number]> & {
  pending: string;
  dead: string;
  oldest_pending_at: Date | null;
};

const SELECT_WEBHOOK = `
  SELECT ${columnsSql('w', COLUMNS)}, p.pending, p.oldest_pending_at,
         (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_key = w.webhook_key AND d.status = 'dead') AS dead
    FROM webhooks w, LATERAL (
      SELECT count(*) AS pending, min(d.occurred_at) AS oldest_pending_at FROM webhook_deliveries d
       WHERE d.webhook_key = w.webhook_key AND d.status = 'pending') p`;

/** The endpoint of an id, with what waits for it. `now`: epoch ms. */
export async function readWebhook(tx: Tx, id: string, now: number): Promise<Webhook | null> {
  const [row] = await tx.query<WebhookRow>(`${SELECT_WEBHOOK} WHERE w.id = $1`, [id]);
  return row ? toWebhook(row, now) : null;
}

/** The tenant's endpoints by id, with what waits for them. Throws InvalidCursorError. */
export async function listWebhooks(
  tx: Tx,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  now: number,
): Promise<WebhookPage> {
  const after = parseCursor(cursor, ['text']);
  const rows = await tx.query<WebhookRow>(
    `${SELECT_WEBHOOK} WHERE $1::text IS NULL OR w.id > $1 ORDER BY w.id LIMIT $2`,
    [after?.[0] ?? null, limit + 1],
  );
  return buildPage(
    rows,
    limit,
    (row) => toWebhook(row, now),
    (row) => [row.id],
  );
}

const time = (at: Date | null) => at?.toISOString() ?? null;

function toWebhook(row: WebhookRow, now: number): Webhook {
  const untils = listValidSecrets(row.previous_secrets, now).map(({ until }) => until);
  return {
    id: row.id,
    url: row.url,
    events: WEBHOOK_EVENTS.filter((type) => row.events.includes(type)),
    include: WEBHOOK_INCLUDES.filter((part) => row.include.includes(part)),
    enabled: row.disabled_at === null,
    disabled_reason: row.disabled_reason,
    failing_since: time(row.failing_since),
    last_delivered_at: time(row.last_delivered_at),
    previous_secret_until: untils.toSorted().at(-1) ?? null,
    pending: Number(row.pending),
    oldest_pending_at: time(row.oldest_pending_at),
    dead: Number(row.dead),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

import { FEW_OF_MANY_ROWS, type DefinerFunction } from '../sql/definer-functions.sql.js';

/** Attempts in a row after which an endpoint counts as failing: it then gets one request at a time. */
const FAILING_AFTER = 3;

/** Feeds whose users are being written for at the same time, of which a search passes over so many. */
const LOCKED_AT_MOST = 512;

const OF = (row: string, of: string) => `${row}.tenant_id = ${of}.tenant_id AND ${row}.webhook_key = ${of}.webhook_key`;
const NEXT_ENDPOINT = (behind: string) => `
            SELECT l.tenant_id, l.webhook_key FROM annals.webhook_feeds l
             WHERE l.due_at IS NOT NULL${behind}
             ORDER BY l.tenant_id, l.webhook_key LIMIT 1`;
/** Without those that a write noted for an endpoint that was being deleted. */
const COUNT_DELIVERIES = (status: string) => `(SELECT count(*) FROM annals.webhook_deliveries d
                 WHERE d.status = '${status}' AND EXISTS (SELECT FROM annals.webhooks e WHERE ${OF('e', 'd')}))`;
const IS_FREE = (row: string) => `${row}.due_at <= at AND (${row}.leased_until IS NULL OR ${row}.leased_until <= at)`;

export const WEBHOOK_SENDER_FUNCTIONS: readonly DefinerFunction[] = [
  {
    // Skips from endpoint to endpoint over webhook_feeds_due, so that its cost follows the endpoints with something to
    // send, not the feeds that wait. In turn: whoever has the fewest requests under way is next, tenants before endpoints,
    // so that slow receivers with much to be told keep nobody waiting; those that fail come behind those that work. Two
    // senders may go a little beyond what an endpoint gets at once.
    signature: `lease_webhook_feeds(at timestamptz, max_rows integer, max_failing integer, per_webhook integer,
                                    lease_ms integer)`,
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, owner text, webhook_key uuid, lease_id uuid, is_failing boolean)
      LANGUAGE sql VOLATILE AS $$
        WITH RECURSIVE waiting AS (
          (${NEXT_ENDPOINT('')})
          UNION ALL
          SELECT n.tenant_id, n.webhook_key FROM waiting w, LATERAL (${NEXT_ENDPOINT(' AND (l.tenant_id, l.webhook_key) > (w.tenant_id, w.webhook_key)')}) n
        ), endpoint AS (
          SELECT h.tenant_id, h.webhook_key, h.failures >= ${FAILING_AFTER} AS is_failing, b.busy,
                 CASE WHEN h.failures >= ${FAILING_AFTER} THEN 1 ELSE per_webhook END - b.busy AS places,
                 sum(b.busy) OVER (PARTITION BY h.tenant_id, h.failures >= ${FAILING_AFTER}) AS busy_of_tenant
            FROM waiting w JOIN annals.webhooks h ON ${OF('h', 'w')},
                 LATERAL (SELECT count(*) AS busy FROM annals.webhook_feeds b
                           WHERE ${OF('b', 'h')} AND b.leased_until IS NOT NULL AND b.leased_until > at) b
           WHERE h.disabled_at IS NULL AND (h.paused_until IS NULL OR h.paused_until <= at)
        ), due AS (
          SELECT e.tenant_id, e.webhook_key, e.is_failing, e.busy_of_tenant, d.owner, d.due_at,
                 e.busy + row_number() OVER (PARTITION BY e.tenant_id, e.webhook_key ORDER BY d.due_at) AS turn
            FROM endpoint e, LATERAL (
              SELECT l.owner, l.due_at FROM annals.webhook_feeds l
               WHERE ${OF('l', 'e')} AND ${IS_FREE('l')} ORDER BY l.due_at LIMIT greatest(e.places, 0)) d
        ), in_turn AS (
          SELECT d.*, d.busy_of_tenant + row_number() OVER (PARTITION BY d.tenant_id, d.is_failing ORDER BY d.turn, d.due_at)
                 AS turn_of_tenant
            FROM due d
        ), candidate AS (
          SELECT p.tenant_id, p.webhook_key, p.owner, p.is_failing, p.turn_of_tenant, p.due_at FROM (
            SELECT t.*, row_number() OVER (PARTITION BY t.is_failing ORDER BY t.turn_of_tenant, t.due_at) AS place FROM in_turn t) p
           WHERE NOT p.is_failing OR p.place <= max_failing
           ORDER BY p.is_failing, p.turn_of_tenant, p.due_at LIMIT max_rows + ${LOCKED_AT_MOST}
        ), free AS (
          -- Whoever comes behind takes the place of a feed that somebody has locked.
          SELECT l.tenant_id, l.owner, l.webhook_key, c.is_failing
            FROM candidate c JOIN annals.webhook_feeds l ON ${OF('l', 'c')} AND l.owner = c.owner
           WHERE ${IS_FREE('l')}
           ORDER BY c.is_failing, c.turn_of_tenant, c.due_at LIMIT max_rows
           FOR UPDATE OF l SKIP LOCKED
        )
        UPDATE annals.webhook_feeds l
           SET leased_until = at + lease_ms * interval '1 millisecond', lease_id = gen_random_uuid()
          FROM free f WHERE ${OF('l', 'f')} AND l.owner = f.owner
        RETURNING l.tenant_id, l.owner, l.webhook_key, l.lease_id, f.is_failing
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Whatever became of it, and first what a write noted for an endpoint that was being deleted. The feed of a user who
    // is gone goes with the last of its deliveries, if their erasure could not be told; who returns begins another one.
    signature: 'purge_webhook_deliveries(before timestamptz, max_rows integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH orphans AS (
          DELETE FROM annals.webhook_feeds l
           WHERE l.due_at IS NOT NULL AND l.due_at < before
             AND NOT EXISTS (SELECT FROM annals.webhooks w WHERE ${OF('w', 'l')})
          RETURNING l.tenant_id, l.owner, l.webhook_key
        )
        DELETE FROM annals.webhook_deliveries d USING orphans o WHERE ${OF('d', 'o')} AND d.owner = o.owner;
        WITH old AS (
          -- Who changes deliveries holds their feed.
          SELECT d.tenant_id, d.owner, d.webhook_key, d.seq
            FROM annals.webhook_deliveries d JOIN annals.webhook_feeds l ON ${OF('l', 'd')} AND l.owner = d.owner
           WHERE d.occurred_at < before ORDER BY d.occurred_at LIMIT max_rows FOR UPDATE OF l SKIP LOCKED
        ), gone AS (
          DELETE FROM annals.webhook_deliveries d USING old o
           WHERE ${OF('d', 'o')} AND d.owner = o.owner AND d.seq = o.seq
          RETURNING d.tenant_id, d.owner, d.webhook_key, d.seq
        ), forgotten AS (
          DELETE FROM annals.webhook_feeds l USING (SELECT DISTINCT g.tenant_id, g.owner, g.webhook_key FROM gone g) g
           WHERE ${OF('l', 'g')} AND l.owner = g.owner AND l.owner <> ''
             AND NOT EXISTS (SELECT FROM annals.users u WHERE u.tenant_id = l.tenant_id AND u.user_id = l.owner)
             AND NOT EXISTS (SELECT FROM annals.webhook_deliveries d
                              WHERE ${OF('d', 'l')} AND d.owner = l.owner
                                AND NOT EXISTS (SELECT FROM gone k WHERE ${OF('k', 'd')} AND k.owner = d.owner AND k.seq = d.seq))
        )
        SELECT count(*)::integer FROM gone
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'webhook_standing(at timestamptz)',
    body: /* sql */ `
      RETURNS TABLE (endpoints bigint, disabled bigint, failing bigint, pending bigint, dead bigint, oldest_due_at timestamptz)
      LANGUAGE sql STABLE AS $$
        SELECT count(*), count(*) FILTER (WHERE w.disabled_at IS NOT NULL),
               count(*) FILTER (WHERE w.disabled_at IS NULL AND w.failures >= ${FAILING_AFTER}),
               ${COUNT_DELIVERIES('pending')},
               ${COUNT_DELIVERIES('dead')},
               -- What is due at an endpoint that nobody sends anything: a slow one is behind by itself.
               (SELECT min(l.due_at) FROM annals.webhook_feeds l JOIN annals.webhooks e ON ${OF('e', 'l')}
                 WHERE ${IS_FREE('l')} AND e.disabled_at IS NULL AND e.failures = 0
                   AND NOT EXISTS (SELECT FROM annals.webhook_feeds b
                                    WHERE ${OF('b', 'e')} AND b.leased_until IS NOT NULL AND b.leased_until > at))
          FROM annals.webhooks w
      $$`,
  },
];

import { BUDGET_LOCK } from '../../ledger/budget-lock.js';
import { INITIAL_DELETION_ORDER } from '../initial/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  FEW_OF_MANY_ROWS,
  type DefinerFunction,
} from '../sql/definer-functions.sql.js';
import { LEASE_OUTBOX } from './lease-outbox.sql.js';
import type { METERING_TENANT_TABLES } from './policies.sql.js';

/** Stands for all tenants that are gone. */
const DELETED_TENANTS_ID = '00000000-0000-0000-0000-000000000000';

const NEW_PARTS = [
  'call_answers',
  'reservations',
  'budgets',
] as const satisfies readonly (typeof METERING_TENANT_TABLES)[number][];

/**
 * Keeps the sums, and of calls that are still running their upper bound; a new epoch makes every store read them, and
 * keeps reconcilers from taking what it holds for calls that never were. Whoever opens a reservation needs the tenant's
 * row, which is locked, so none is opened between.
 */
export const PRESERVE_SPENDING = {
  variables: `
        spent jsonb;`,
  first: /* sql */ `
        -- Calls of batches that are done are settled batch first as well.
        PERFORM 1 FROM annals.batches b
          WHERE b.tenant_id = doomed
            AND EXISTS (SELECT FROM annals.reservations r WHERE r.tenant_id = doomed AND r.batch_id = b.id) FOR UPDATE;
        SELECT jsonb_agg(s) INTO spent FROM (
          SELECT c.day, c.provider, sum(c.cost)::bigint AS cost FROM (
            SELECT u.day, u.provider, u.cost_micro_usd AS cost FROM annals.usage u WHERE u.tenant_id = doomed
            UNION ALL
            SELECT r.day, r.provider, r.amount_micro_usd FROM annals.reservations r WHERE r.tenant_id = doomed) c
           GROUP BY c.day, c.provider) s;`,
  // Last, since everyone who is to rebuild a day waits for these rows, and in order, since another tenant may be
  // deleted at the same time.
  last: /* sql */ `
        INSERT INTO annals.departed_spend AS d (day, provider, cost_micro_usd)
        SELECT s.day, s.provider, s.cost
          FROM jsonb_to_recordset(coalesce(spent, '[]')) AS s (day date, provider text, cost bigint)
         ORDER BY s.day, s.provider
        ON CONFLICT ON CONSTRAINT departed_spend_pkey
        DO UPDATE SET cost_micro_usd = d.cost_micro_usd + excluded.cost_micro_usd;
        UPDATE annals.budget_epochs e SET epoch = e.epoch + 1
          FROM (SELECT k.day FROM annals.budget_epochs k
                 WHERE k.day IN (SELECT s.day FROM jsonb_to_recordset(coalesce(spent, '[]')) AS s (day date))
                 ORDER BY k.day FOR UPDATE) known
         WHERE e.day = known.day;`,
};

/** Children before parents. */
export const METERING_DELETION_ORDER = [...NEW_PARTS, ...INITIAL_DELETION_ORDER];

const FUNCTIONS: readonly DefinerFunction[] = [
  deleteTenantFunction(METERING_DELETION_ORDER, PRESERVE_SPENDING),
  LEASE_OUTBOX,
  {
    signature: 'raise_budget_epoch(of_day date)',
    body: /* sql */ `
      RETURNS TABLE (epoch integer, tenants jsonb, providers jsonb, holds jsonb) LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        raised integer;
      BEGIN
        -- What is read in a statement after this one is what was committed when the lock was given.
        PERFORM pg_advisory_xact_lock(${BUDGET_LOCK});
        INSERT INTO annals.budget_epochs AS e (day, epoch) VALUES (of_day, 1)
        ON CONFLICT ON CONSTRAINT budget_epochs_pkey DO UPDATE SET epoch = e.epoch + 1
        RETURNING e.epoch INTO raised;
        -- One statement: a call that is settled meanwhile is open in it or spent, never both or neither.
        RETURN QUERY
          WITH spent AS MATERIALIZED (
            SELECT u.tenant_id, u.provider, sum(u.cost_micro_usd) AS cost FROM annals.usage u WHERE u.day = of_day
             GROUP BY u.tenant_id, u.provider
            UNION ALL
            SELECT '${DELETED_TENANTS_ID}'::uuid, d.provider, d.cost_micro_usd FROM annals.departed_spend d
             WHERE d.day = of_day)
          SELECT raised,
                 (SELECT coalesce(jsonb_object_agg(t.tenant_id, t.cost), '{}')
                    FROM (SELECT s.tenant_id, sum(s.cost) AS cost FROM spent s GROUP BY s.tenant_id) t),
                 (SELECT coalesce(jsonb_object_agg(p.provider, p.cost), '{}')
                    FROM (SELECT s.provider, sum(s.cost) AS cost FROM spent s GROUP BY s.provider) p),
                 (SELECT coalesce(jsonb_agg(jsonb_build_object(
                           'reservation_id', r.id, 'day', r.day, 'tenant_id', r.tenant_id, 'provider', r.provider,
                           'amount_micro_usd', r.amount_micro_usd)), '[]')
                    FROM annals.reservations r WHERE r.day = of_day);
      END $$ SET jit = off`,
  },
  {
    signature: 'budget_standing(of_day date)',
    body: /* sql */ `
      RETURNS TABLE (provider text, spent_micro_usd bigint, held_micro_usd bigint) LANGUAGE sql STABLE AS $$
        SELECT s.provider, sum(s.spent)::bigint, sum(s.held)::bigint FROM (
          SELECT u.provider, u.cost_micro_usd AS spent, 0 AS held FROM annals.usage u WHERE u.day = of_day
          UNION ALL
          SELECT d.provider, d.cost_micro_usd, 0 FROM annals.departed_spend d WHERE d.day = of_day
          UNION ALL
          SELECT r.provider, 0, r.amount_micro_usd FROM annals.reservations r WHERE r.day = of_day) s
         GROUP BY s.provider
      $$`,
  },
  {
    signature: 'overdue_reservations(at timestamptz, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (reservation_id uuid, day text) LANGUAGE sql STABLE AS $$
        SELECT r.id, r.day::text FROM annals.reservations r WHERE r.expires_at <= at ORDER BY r.expires_at LIMIT max_rows
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Locks the batch before its reservation, as every worker does, and waits for nobody.
    signature: 'expire_reservations(at timestamptz, ids uuid[], unsent uuid[])',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, reservation_id uuid, day text, provider text, amount_micro_usd bigint,
                     charged boolean)
      LANGUAGE sql VOLATILE AS $$
        WITH overdue AS MATERIALIZED (
          SELECT r.tenant_id, r.id, r.batch_id FROM annals.reservations r WHERE r.expires_at <= at AND r.id = ANY (ids)
        ), held AS MATERIALIZED (
          SELECT b.tenant_id, b.id FROM annals.batches b
           WHERE (b.tenant_id, b.id) IN (SELECT o.tenant_id, o.batch_id FROM overdue o)
             FOR NO KEY UPDATE OF b SKIP LOCKED
        ), free AS MATERIALIZED (
          SELECT r.tenant_id, r.id FROM overdue o JOIN annals.reservations r ON r.tenant_id = o.tenant_id AND r.id = o.id
           WHERE o.batch_id IS NULL
              OR EXISTS (SELECT FROM held h WHERE h.tenant_id = o.tenant_id AND h.id = o.batch_id)
             FOR UPDATE OF r SKIP LOCKED
        ), closed AS (
          DELETE FROM annals.reservations r USING free f WHERE r.tenant_id = f.tenant_id AND r.id = f.id
          RETURNING r.*, NOT r.id = ANY (unsent) AS charged
        ), charged AS (
          UPDATE annals.batches b SET cost_micro_usd = b.cost_micro_usd + c.cost, revision = b.revision + 1
            FROM (SELECT c.tenant_id, c.batch_id, sum(c.amount_micro_usd) AS cost FROM closed c WHERE c.charged
                   GROUP BY c.tenant_id, c.batch_id) c
           WHERE b.tenant_id = c.tenant_id AND b.id = c.batch_id
        ), spent AS (
          INSERT INTO annals.usage (tenant_id, id, batch_id, user_id, operation, provider, model, generation, outcome,
                                    input_tokens, output_tokens, estimated, cost_micro_usd, day, ts)
          SELECT c.tenant_id, c.id, c.batch_id, c.user_id, c.operation, c.provider, c.model, c.generation, 'lost', 0, 0,
                 true, c.amount_micro_usd, c.day, at
            FROM closed c WHERE c.charged
        )
        SELECT c.tenant_id, c.id, c.day::text, c.provider, c.amount_micro_usd, c.charged FROM closed c
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'judge_holds(of_day date, ids uuid[])',
    body: /* sql */ `
      RETURNS TABLE (reservation_id uuid, tenant_id uuid, provider text, cost_micro_usd bigint) LANGUAGE sql STABLE AS $$
        SELECT h.id, u.tenant_id, u.provider, u.cost_micro_usd
          FROM unnest(ids) AS h (id) LEFT JOIN annals.usage u ON u.day = of_day AND u.id = h.id
         WHERE NOT EXISTS (SELECT FROM annals.reservations r WHERE r.day = of_day AND r.id = h.id)
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'fire_budget_alert(of_day date, of_scope text, of_id text, reached smallint, at timestamptz)',
    body: /* sql */ `
      RETURNS boolean LANGUAGE sql VOLATILE AS $$
        WITH fired AS (
          INSERT INTO annals.budget_alerts (day, scope, scope_id, threshold, fired_at)
          VALUES (of_day, of_scope, of_id, reached, at) ON CONFLICT DO NOTHING RETURNING 1)
        SELECT EXISTS (SELECT 1 FROM fired)
      $$`,
  },
  {
    signature: 'set_deployment_budget(of_scope text, of_id text, new_limit bigint, at timestamptz)',
    body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        DELETE FROM annals.deployment_budgets b WHERE b.scope = of_scope AND b.id = of_id AND new_limit IS NULL;
        INSERT INTO annals.deployment_budgets (scope, id, daily_limit_micro_usd, updated_at)
        SELECT of_scope, of_id, new_limit, at WHERE new_limit IS NOT NULL
        ON CONFLICT (scope, id) DO UPDATE
          SET daily_limit_micro_usd = excluded.daily_limit_micro_usd, updated_at = excluded.updated_at;
      $$`,
  },
  {
    // The older a batch, the earlier its turn. What a worker is taking at this moment is left to it. The state is asked
    // for as well: a worker of the release before takes a deferred batch without clearing the reason.
    signature: 'wake_deferred(of_tenant uuid, of_reason text, at timestamptz, spread_ms integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH waiting AS MATERIALIZED (
          SELECT b.tenant_id, b.id FROM annals.batches b
           WHERE b.deferred_reason = of_reason AND b.state = 'deferred'
             AND (of_tenant IS NULL OR b.tenant_id = of_tenant)
             FOR NO KEY UPDATE OF b SKIP LOCKED
        ), placed AS (
          SELECT w.tenant_id, w.id,
                 at + (spread_ms * (row_number() OVER (ORDER BY w.id) - 1) / count(*) OVER ()) * interval '1 millisecond'
                   AS due
            FROM waiting w
        ), moved AS (
          UPDATE annals.outbox o SET available_at = p.due, rank_at = p.due - (o.available_at - o.rank_at)
            FROM placed p
           WHERE o.tenant_id = p.tenant_id AND o.batch_id = p.id AND o.released_at IS NULL AND o.available_at > p.due
          RETURNING o.tenant_id, o.batch_id, o.available_at
        ), told AS (
          UPDATE annals.batches b SET deferred_until = m.available_at, revision = b.revision + 1 FROM moved m
           WHERE b.tenant_id = m.tenant_id AND b.id = m.batch_id
        )
        SELECT count(*)::integer FROM moved
      $$`,
  },
  {
    // Whoever was refused by the old limit just before, and put off just after the wake, would wait for the next day.
    signature: 'wake_raised(at timestamptz, within_ms integer, spread_ms integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH changed AS (
          SELECT NULL::uuid AS tenant_id WHERE EXISTS (
            SELECT FROM annals.deployment_budgets d WHERE d.updated_at > at - within_ms * interval '1 millisecond')
          UNION ALL
          SELECT b.tenant_id FROM annals.budgets b WHERE b.updated_at > at - within_ms * interval '1 millisecond')
        SELECT coalesce(sum(annals.wake_deferred(c.tenant_id, 'budget_exceeded', at, spread_ms)), 0)::integer
          FROM changed c
      $$`,
  },
  {
    signature: 'deferred_figures()',
    body: /* sql */ `
      RETURNS TABLE (reason text, batches bigint, shortfall_micro_usd bigint) LANGUAGE sql STABLE AS $$
        SELECT b.deferred_reason, count(*), coalesce(sum(b.shortfall_micro_usd), 0)::bigint FROM annals.batches b
         WHERE b.deferred_reason IS NOT NULL AND b.state = 'deferred' GROUP BY b.deferred_reason ORDER BY b.deferred_reason
      $$`,
  },
];

export const METERING_FUNCTIONS_SQL = [
  'DROP FUNCTION annals.delete_tenant',
  'DROP FUNCTION annals.lease_outbox',
  createFunctions(FUNCTIONS),
].join(';\n');

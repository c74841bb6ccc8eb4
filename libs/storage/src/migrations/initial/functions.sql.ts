import {
  createFunctions,
  deleteTenantFunction,
  FEW_OF_MANY_ROWS,
  type DefinerFunction,
} from '../sql/definer-functions.sql.js';
import type { INITIAL_TENANT_TABLES } from './policies.sql.js';

/** Children before parents, so that foreign keys hold at every step. */
export const INITIAL_DELETION_ORDER = [
  'idempotency_keys',
  'usage',
  'events',
  'history',
  'change_log',
  'thread_revisions',
  'relations',
  'memory_terms',
  'memory_embeddings',
  'memory_sources',
  'memories',
  'outbox',
  'extractions',
  'messages',
  'batches',
  'conversations',
  'users',
  'api_keys',
  'tenants',
] as const satisfies readonly (typeof INITIAL_TENANT_TABLES)[number][];

/**
 * The only ways across tenants. Each runs as annals_definer with a fixed search_path, answers ids (and for keys what
 * the key may do), and never a person's words.
 */
const FUNCTIONS: readonly DefinerFunction[] = [
  {
    signature: 'find_api_key(hash bytea)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, id uuid, scopes text[], operator boolean, agent_id text, user_id text,
                     categories text[], expires_at timestamptz)
      LANGUAGE sql STABLE AS $$
        SELECT k.tenant_id, k.id, k.scopes, k.operator, k.agent_id, k.user_id, k.categories, k.expires_at
          FROM annals.api_keys k WHERE k.key_hash = hash AND k.revoked_at IS NULL
        UNION ALL
        SELECT NULL, o.id, ARRAY[]::text[], true, NULL, NULL, NULL, NULL
          FROM annals.operator_keys o WHERE o.key_hash = hash AND o.revoked_at IS NULL
      $$`,
  },
  {
    // Skips from tenant to tenant over outbox_waiting, beginning after the lane that was served last, and stops once
    // enough tenants with due rows and room are found: its cost follows the rows it hands out, neither the length of
    // the queue nor the number of tenants who wait. What another relay has leased takes its tenant's places like what
    // is released. rank_at is never after available_at, so comparing both ends the scan at the first row that is not due.
    signature: `lease_outbox(at timestamptz, max_rows integer, per_tenant integer, lease_ms integer, after_queue text,
                             after_tenant uuid)`,
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, id uuid, queue text, batch_id uuid, generation integer, trace text)
      LANGUAGE sql VOLATILE AS $$
        WITH RECURSIVE later AS (
          (SELECT o.queue, o.tenant_id FROM annals.outbox o
            WHERE o.released_at IS NULL AND (o.queue, o.tenant_id) > (after_queue, after_tenant)
            ORDER BY o.queue, o.tenant_id LIMIT 1)
          UNION ALL
          SELECT next.queue, next.tenant_id FROM later, LATERAL (
            SELECT o.queue, o.tenant_id FROM annals.outbox o
             WHERE o.released_at IS NULL AND (o.queue, o.tenant_id) > (later.queue, later.tenant_id)
             ORDER BY o.queue, o.tenant_id LIMIT 1) next
        ), earlier AS (
          (SELECT o.queue, o.tenant_id FROM annals.outbox o
            WHERE o.released_at IS NULL AND (o.queue, o.tenant_id) <= (after_queue, after_tenant)
            ORDER BY o.queue, o.tenant_id LIMIT 1)
          UNION ALL
          SELECT next.queue, next.tenant_id FROM earlier, LATERAL (
            SELECT o.queue, o.tenant_id FROM annals.outbox o
             WHERE o.released_at IS NULL AND (o.queue, o.tenant_id) > (earlier.queue, earlier.tenant_id)
               AND (o.queue, o.tenant_id) <= (after_queue, after_tenant)
             ORDER BY o.queue, o.tenant_id LIMIT 1) next
        ), room AS (
          SELECT l.queue, l.tenant_id, free.places
            FROM (SELECT queue, tenant_id FROM later UNION ALL SELECT queue, tenant_id FROM earlier) l,
            LATERAL (
              SELECT per_tenant - count(*) AS places FROM (
                SELECT 1 FROM annals.outbox f
                 WHERE f.queue = l.queue AND f.tenant_id = l.tenant_id AND f.released_at IS NOT NULL
                 LIMIT per_tenant) busy) free
           WHERE EXISTS (
             SELECT FROM (SELECT c.leased_until FROM annals.outbox c
                           WHERE c.queue = l.queue AND c.tenant_id = l.tenant_id AND c.released_at IS NULL
                             AND c.available_at <= at AND c.rank_at <= at
                           ORDER BY c.rank_at LIMIT greatest(free.places, 0)) o
              WHERE o.leased_until IS NULL OR o.leased_until <= at)
           LIMIT max_rows
        ), due AS (
          SELECT w.tenant_id, w.id, w.turn, w.rank_at FROM room r, LATERAL (
            SELECT o.tenant_id, o.id, o.rank_at, row_number() OVER (ORDER BY o.rank_at, o.id) AS turn
              FROM (SELECT c.tenant_id, c.id, c.rank_at, c.leased_until FROM annals.outbox c
                     WHERE c.queue = r.queue AND c.tenant_id = r.tenant_id AND c.released_at IS NULL
                       AND c.available_at <= at AND c.rank_at <= at
                     ORDER BY c.rank_at LIMIT greatest(r.places, 0)) o
             WHERE o.leased_until IS NULL OR o.leased_until <= at) w
          ORDER BY w.turn, w.rank_at LIMIT max_rows
        ), locked AS (
          SELECT o.tenant_id, o.id FROM annals.outbox o JOIN due d ON d.tenant_id = o.tenant_id AND d.id = o.id
           WHERE o.released_at IS NULL AND (o.leased_until IS NULL OR o.leased_until <= at)
           FOR UPDATE OF o SKIP LOCKED
        ), taken AS (
          UPDATE annals.outbox o SET leased_until = at + lease_ms * interval '1 millisecond'
            FROM locked l WHERE o.tenant_id = l.tenant_id AND o.id = l.id
          RETURNING o.tenant_id, o.id, o.queue, o.batch_id, o.generation, o.trace
        )
        SELECT t.* FROM taken t JOIN due d ON d.tenant_id = t.tenant_id AND d.id = t.id ORDER BY d.turn, d.rank_at
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'next_outbox_due(at timestamptz)',
    body: /* sql */ `
      RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT min(o.available_at) FROM annals.outbox o WHERE o.released_at IS NULL AND o.available_at > at
      $$`,
  },
  {
    signature: 'mark_outbox_released(tenants uuid[], ids uuid[], generations integer[], at timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH marked AS (
          UPDATE annals.outbox o SET released_at = at, leased_until = NULL
            FROM unnest(tenants, ids, generations) AS r(tenant_id, id, generation)
           WHERE o.tenant_id = r.tenant_id AND o.id = r.id AND o.generation = r.generation AND o.released_at IS NULL
          RETURNING 1)
        SELECT count(*)::integer FROM marked
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'suspect_outbox(at timestamptz, released_before timestamptz, recheck_ms integer, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, id uuid, queue text, batch_id uuid, generation integer, trace text)
      LANGUAGE sql VOLATILE AS $$
        WITH suspects AS (
          SELECT o.tenant_id, o.id FROM annals.outbox o
           WHERE o.released_at <= released_before
             AND (o.checked_at IS NULL OR o.checked_at <= at - recheck_ms * interval '1 millisecond')
             AND NOT EXISTS (SELECT 1 FROM annals.batches b
                              WHERE b.tenant_id = o.tenant_id AND b.id = o.batch_id AND b.lease_until > at)
           ORDER BY o.released_at LIMIT max_rows FOR UPDATE OF o SKIP LOCKED)
        UPDATE annals.outbox o SET checked_at = at FROM suspects s
         WHERE o.tenant_id = s.tenant_id AND o.id = s.id
        RETURNING o.tenant_id, o.id, o.queue, o.batch_id, o.generation, o.trace
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Locks the batch before its outbox row, as every worker does, or the two could wait for each other.
    signature: 'return_outbox(tenants uuid[], ids uuid[], generations integer[], at timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH held AS (
          SELECT o.tenant_id, o.id, o.generation
            FROM unnest(tenants, ids, generations) AS r(tenant_id, id, generation)
            JOIN annals.outbox o ON o.tenant_id = r.tenant_id AND o.id = r.id AND o.generation = r.generation
            JOIN annals.batches b ON b.tenant_id = o.tenant_id AND b.id = o.batch_id
             FOR UPDATE OF b),
        returned AS (
          UPDATE annals.outbox o
             SET released_at = NULL, leased_until = NULL, checked_at = NULL, generation = o.generation + 1
            FROM held h
           WHERE o.tenant_id = h.tenant_id AND o.id = h.id AND o.generation = h.generation
             AND o.released_at IS NOT NULL
          RETURNING o.tenant_id, o.batch_id, o.generation),
        raised AS (
          UPDATE annals.batches b SET generation = r.generation FROM returned r
           WHERE b.tenant_id = r.tenant_id AND b.id = r.batch_id)
        SELECT count(*)::integer FROM returned
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'outbox_depth()',
    body: /* sql */ `
      RETURNS TABLE (queue text, waiting bigint, in_flight bigint) LANGUAGE sql STABLE AS $$
        SELECT o.queue, count(*) FILTER (WHERE o.released_at IS NULL), count(*) FILTER (WHERE o.released_at IS NOT NULL)
          FROM annals.outbox o GROUP BY o.queue
      $$`,
  },
  {
    signature: 'recent_batch_outcomes(since timestamptz)',
    body: /* sql */ `
      RETURNS TABLE (done bigint, failed bigint) LANGUAGE sql STABLE AS $$
        SELECT count(*) FILTER (WHERE b.state = 'done'), count(*) FILTER (WHERE b.state = 'failed')
          FROM annals.batches b WHERE b.finished_at >= since
      $$`,
  },
  {
    signature: 'purge_idempotency_keys(before timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH gone AS (DELETE FROM annals.idempotency_keys k WHERE k.created_at < before RETURNING 1)
        SELECT count(*)::integer FROM gone
      $$`,
  },
  {
    signature: 'list_tenants(after uuid, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, name text, created_at timestamptz) LANGUAGE sql STABLE AS $$
        SELECT t.tenant_id, t.name, t.created_at FROM annals.tenants t
         WHERE after IS NULL OR t.tenant_id > after ORDER BY t.tenant_id LIMIT max_rows
      $$`,
  },
  {
    signature: 'create_tenant(new_id uuid, new_name text, at timestamptz)',
    body: /* sql */ `
      RETURNS boolean LANGUAGE sql VOLATILE AS $$
        WITH made AS (
          INSERT INTO annals.tenants (tenant_id, name, created_at) VALUES (new_id, new_name, at)
          ON CONFLICT (name) DO NOTHING RETURNING 1)
        SELECT EXISTS (SELECT 1 FROM made)
      $$`,
  },
  {
    signature: 'find_tenant(wanted text)',
    body: /* sql */ `
      RETURNS uuid LANGUAGE sql STABLE AS $$
        SELECT t.tenant_id FROM annals.tenants t WHERE t.name = wanted
      $$`,
  },
  deleteTenantFunction(INITIAL_DELETION_ORDER),
];

export const FUNCTIONS_SQL = createFunctions(FUNCTIONS);

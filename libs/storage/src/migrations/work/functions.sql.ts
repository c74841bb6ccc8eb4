import { PRESERVE_AND_LOCK, RECALL_DELETION_ORDER } from '../recall/functions.sql.js';
import {
  ERASED_WITH_USER as ERASED_BEFORE,
  FORGOTTEN,
  forgetConversationFunction,
} from '../recall/erasure-functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  FEW_OF_MANY_ROWS,
} from '../sql/definer-functions.sql.js';
import { leaseWorkFunction } from './lease-work.sql.js';
import { waits } from './tables.sql.js';

/** Ids are unique over all kinds of subjects, so the kind of work need not be asked for. */
/** What is about a conversation or its batches. */
export const WORK_OF_CONVERSATION = '(t.subject_id = ANY (batch_ids) OR t.subject_id = of_conversation)';
/** What is about a user, their conversations or the batches of these. */
const WORK_OF_USER = `(t.subject_id = ANY (batch_ids)
          OR t.subject_id IN (SELECT c.id FROM annals.conversations c WHERE c.tenant_id = own AND c.user_id = of_user
                              UNION ALL
                              SELECT u.subject_id FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user))`;

const { outbox: _outbox, ...ERASED_BESIDE_WORK } = ERASED_BEFORE;

/** Every table that holds something of one person, and which of its rows are theirs: children before parents. */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = { work: WORK_OF_USER, ...ERASED_BESIDE_WORK };

const FUNCTIONS: readonly DefinerFunction[] = [
  deleteTenantFunction(
    RECALL_DELETION_ORDER.map((table) => (table === 'outbox' ? 'work' : table)),
    PRESERVE_AND_LOCK,
  ),
  eraseAndSealFunction(ERASED_WITH_USER),
  forgetConversationFunction(
    FORGOTTEN.map(([table, condition]) => (table === 'outbox' ? ['work', WORK_OF_CONVERSATION] : [table, condition])),
  ),
  leaseWorkFunction(waits),
  {
    signature: 'next_work_due(at timestamptz)',
    body: /* sql */ `
      RETURNS timestamptz LANGUAGE sql STABLE AS $$
        SELECT min(w.available_at) FROM annals.work w WHERE ${waits('w')} AND w.available_at > at
      $$`,
  },
  {
    // Skips what a worker has locked, since a commit locks two of these rows in an order of its own: work of its user,
    // then that of its batch. What is skipped is leased again after its lease, and its job is in the queue already.
    signature: 'mark_work_released(tenants uuid[], ids uuid[], generations integer[], at timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH free AS (
          SELECT w.tenant_id, w.id FROM unnest(tenants, ids, generations) AS r(tenant_id, id, generation)
            JOIN annals.work w ON w.tenant_id = r.tenant_id AND w.id = r.id AND w.generation = r.generation
           WHERE ${waits('w')}
           FOR UPDATE OF w SKIP LOCKED
        ), marked AS (
          UPDATE annals.work w SET released_at = at, leased_until = NULL FROM free f
           WHERE w.tenant_id = f.tenant_id AND w.id = f.id
          RETURNING 1)
        SELECT count(*)::integer FROM marked
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'suspect_work(at timestamptz, released_before timestamptz, recheck_ms integer, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, id uuid, kind text, subject_id uuid, generation integer, trace text)
      LANGUAGE sql VOLATILE AS $$
        WITH suspects AS (
          SELECT w.tenant_id, w.id FROM annals.work w
           WHERE w.released_at <= released_before
             AND (w.checked_at IS NULL OR w.checked_at <= at - recheck_ms * interval '1 millisecond')
             AND (w.claimed_until IS NULL OR w.claimed_until <= at)
             AND NOT EXISTS (SELECT 1 FROM annals.batches b
                              WHERE b.tenant_id = w.tenant_id AND b.id = w.subject_id AND b.lease_until > at)
           ORDER BY w.released_at LIMIT max_rows FOR UPDATE OF w SKIP LOCKED)
        UPDATE annals.work w SET checked_at = at FROM suspects s
         WHERE w.tenant_id = s.tenant_id AND w.id = s.id
        RETURNING w.tenant_id, w.id, w.kind, w.subject_id, w.generation, w.trace
      $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Locks batches before their work, as every worker does, or the two could wait for each other. The second statement
    // sees what the worker has committed for which the first one waited.
    signature: 'return_work(tenants uuid[], ids uuid[], generations integer[], at timestamptz)',
    body: /* sql */ `
      RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        changed integer;
      BEGIN
        PERFORM 1 FROM unnest(tenants, ids) AS r(tenant_id, id)
          JOIN annals.work w ON w.tenant_id = r.tenant_id AND w.id = r.id
          JOIN annals.batches b ON b.tenant_id = w.tenant_id AND b.id = w.subject_id
         FOR UPDATE OF b;
        WITH returned AS (
          UPDATE annals.work w
             SET released_at = NULL, leased_until = NULL, checked_at = NULL, generation = w.generation + 1
            FROM unnest(tenants, ids, generations) AS r(tenant_id, id, generation)
           WHERE w.tenant_id = r.tenant_id AND w.id = r.id AND w.generation = r.generation
             AND w.released_at IS NOT NULL
          RETURNING w.tenant_id, w.subject_id, w.generation),
        raised AS (
          UPDATE annals.batches b SET generation = r.generation FROM returned r
           WHERE b.tenant_id = r.tenant_id AND b.id = r.subject_id)
        SELECT count(*) INTO changed FROM returned;
        RETURN changed;
      END $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    signature: 'work_depth()',
    body: /* sql */ `
      RETURNS TABLE (kind text, waiting bigint, in_flight bigint, failed bigint) LANGUAGE sql STABLE AS $$
        SELECT w.kind, count(*) FILTER (WHERE ${waits('w')}), count(*) FILTER (WHERE w.released_at IS NOT NULL),
               count(*) FILTER (WHERE w.failed_at IS NOT NULL)
          FROM annals.work w GROUP BY w.kind
      $$`,
  },
  {
    signature: 'deferred_work()',
    body: /* sql */ `
      RETURNS TABLE (reason text, work bigint) LANGUAGE sql STABLE AS $$
        SELECT w.deferred_reason, count(*) FROM annals.work w WHERE w.deferred_reason IS NOT NULL
         GROUP BY w.deferred_reason
      $$`,
  },
  {
    // Batches as before; other work is marked as deferred in its own row. The older, the earlier its turn. What a worker
    // is taking at this moment is left to it. The batches' state is asked for as well: a worker of an earlier release
    // takes a deferred batch without clearing the reason.
    signature: 'wake_deferred(of_tenant uuid, of_reason text, at timestamptz, spread_ms integer)',
    body: /* sql */ `
      RETURNS integer LANGUAGE sql VOLATILE AS $$
        WITH batches AS MATERIALIZED (
          SELECT b.tenant_id, b.id FROM annals.batches b
           WHERE b.deferred_reason = of_reason AND b.state = 'deferred'
             AND (of_tenant IS NULL OR b.tenant_id = of_tenant)
             FOR NO KEY UPDATE OF b SKIP LOCKED
        ), others AS MATERIALIZED (
          SELECT w.tenant_id, w.id FROM annals.work w
           WHERE w.deferred_reason = of_reason AND (of_tenant IS NULL OR w.tenant_id = of_tenant)
             FOR NO KEY UPDATE OF w SKIP LOCKED
        ), waiting AS (
          SELECT w.tenant_id, w.id AS work_id FROM batches b
            JOIN annals.work w ON w.tenant_id = b.tenant_id AND w.subject_id = b.id
          UNION ALL
          SELECT o.tenant_id, o.id FROM others o
        ), placed AS (
          SELECT w.tenant_id, w.work_id,
                 at + (spread_ms * (row_number() OVER (ORDER BY w.work_id) - 1) / count(*) OVER ()) * interval '1 millisecond'
                   AS due
            FROM waiting w
        ), moved AS (
          UPDATE annals.work w SET available_at = p.due, rank_at = p.due - (w.available_at - w.rank_at)
            FROM placed p
           WHERE w.tenant_id = p.tenant_id AND w.id = p.work_id AND ${waits('w')} AND w.available_at > p.due
          RETURNING w.tenant_id, w.subject_id, w.available_at
        ), told AS (
          UPDATE annals.batches b SET deferred_until = m.available_at, revision = b.revision + 1 FROM moved m
           WHERE b.tenant_id = m.tenant_id AND b.id = m.subject_id
          RETURNING 1
        )
        SELECT count(*)::integer FROM told
      $$`,
  },
];

/** Those of the outbox stay for processes of the release before. Goes in the next release. */
export const WORK_FUNCTIONS_SQL = [
  ...['delete_tenant', 'erase_and_seal', 'forget_conversation', 'wake_deferred'].map(
    (name) => `DROP FUNCTION annals.${name}`,
  ),
  createFunctions(FUNCTIONS),
].join(';\n');

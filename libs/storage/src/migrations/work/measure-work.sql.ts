import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import { waits } from './tables.sql.js';

const TABLES = /* sql */ `
-- The kind first: the oldest due row of a kind is then its first, however long the queue of another kind is.
DROP INDEX annals.work_due;
CREATE INDEX work_due ON annals.work (kind, available_at) WHERE ${waits('work')}`;

/** Steps from kind to kind over work_due, and reads one row of each. */
const NEXT_WORK_DUE: DefinerFunction = {
  signature: 'next_work_due(at timestamptz)',
  body: /* sql */ `
      RETURNS timestamptz LANGUAGE sql STABLE AS $$
        WITH RECURSIVE kinds AS (
          (SELECT w.kind FROM annals.work w WHERE ${waits('w')} ORDER BY w.kind LIMIT 1)
          UNION ALL
          SELECT next.kind FROM kinds k, LATERAL (
            SELECT w.kind FROM annals.work w WHERE ${waits('w')} AND w.kind > k.kind ORDER BY w.kind LIMIT 1) next
        )
        SELECT min(first.available_at) FROM kinds k, LATERAL (
          SELECT w.available_at FROM annals.work w
           WHERE w.kind = k.kind AND ${waits('w')} AND w.available_at > at ORDER BY w.available_at LIMIT 1) first
      $$ ${FEW_OF_MANY_ROWS}`,
};

/**
 * Rows of each of `kinds`, in their order, of each state at most `at_most`, so that a long queue is not read whole at each
 * scrape. `due_since`: when the oldest became due of those that are due or in flight; `released_since`: when the oldest
 * of those in flight was released. Both are null without such rows.
 */
const MEASURE_WORK: DefinerFunction = {
  signature: 'measure_work(kinds text[], at timestamptz, at_most integer)',
  body: /* sql */ `
      RETURNS TABLE (kind text, due bigint, scheduled bigint, in_flight bigint, failed bigint, due_since timestamptz,
                     released_since timestamptz)
      LANGUAGE sql STABLE AS $$
        WITH failures AS MATERIALIZED (
          SELECT f.kind FROM annals.work f WHERE f.failed_at IS NOT NULL LIMIT at_most)
        SELECT k.kind, due.rows, later.rows, busy.rows, (SELECT count(*) FROM failures f WHERE f.kind = k.kind),
               least(oldest.available_at, busy.due_since), busy.released_since
          FROM unnest(kinds) WITH ORDINALITY k (kind, place),
          LATERAL (
            SELECT count(*) AS rows FROM (
              SELECT FROM annals.work w
               WHERE w.kind = k.kind AND ${waits('w')} AND w.available_at <= at LIMIT at_most) d) due,
          LATERAL (
            SELECT count(*) AS rows FROM (
              SELECT FROM annals.work w
               WHERE w.kind = k.kind AND ${waits('w')} AND w.available_at > at LIMIT at_most) l) later,
          LATERAL (
            SELECT count(*) AS rows, min(b.available_at) AS due_since, min(b.released_at) AS released_since FROM (
              SELECT w.available_at, w.released_at FROM annals.work w
               WHERE w.kind = k.kind AND w.released_at IS NOT NULL LIMIT at_most) b) busy
          LEFT JOIN LATERAL (
            SELECT w.available_at FROM annals.work w
             WHERE w.kind = k.kind AND ${waits('w')} AND w.available_at <= at
             ORDER BY w.available_at LIMIT 1) oldest ON true
         ORDER BY k.place
      $$ ${FEW_OF_MANY_ROWS}`,
};

/** Time stamp of the last migration that ran: the number at the end of its name. */
const SCHEMA_VERSION: DefinerFunction = {
  signature: 'schema_version()',
  body: /* sql */ `
      RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT max(m.timestamp) FROM annals.schema_migrations m $$`,
};

/** `count_work` stays for processes of the release before and goes in the next one. */
export const MEASURE_WORK_SQL = [
  TABLES,
  'GRANT SELECT ON annals.schema_migrations TO annals_definer',
  'DROP FUNCTION annals.next_work_due',
  createFunctions([NEXT_WORK_DUE, MEASURE_WORK, SCHEMA_VERSION]),
].join(';\n');

import { type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import { leaseWorkFunction } from '../work/lease-work.sql.js';
import { waits } from '../work/tables.sql.js';
import type { MindPart } from './mind-part.js';

/** Whether a row waits and is, or was, due: as in the index work_waiting. */
export const isInLine = (row: string) => `${waits(row)} AND NOT ${row}.is_scheduled`;

const TABLES = /* sql */ `
-- Work for a later time stays out of work_waiting until it is due: minds have a row for almost every tenant, and each lease
-- would pass by all of them. Rows without the mark are found too, only slower.
ALTER TABLE annals.work ADD COLUMN is_scheduled boolean NOT NULL DEFAULT false;
DROP INDEX annals.work_waiting;
CREATE INDEX work_waiting ON annals.work
  (kind, tenant_id, (CASE WHEN rank_at < available_at THEN 1 ELSE 0 END), available_at) WHERE ${isInLine('work')};
CREATE INDEX work_scheduled ON annals.work (available_at, kind) WHERE ${waits('work')} AND is_scheduled`;

/** Puts in line what has become due: once for each row. What somebody else holds is left to the next lease. */
const PUT_IN_LINE = /* sql */ `
        WITH due AS (
          SELECT w.tenant_id, w.id FROM annals.work w
           WHERE ${waits('w')} AND w.is_scheduled AND w.available_at <= at
           FOR UPDATE OF w SKIP LOCKED)
        UPDATE annals.work w SET is_scheduled = false FROM due d WHERE w.tenant_id = d.tenant_id AND w.id = d.id;`;

/** What `work_depth` was, which stays for processes of the release before and goes in the next one. */
const COUNT_WORK: DefinerFunction = {
  signature: 'count_work(at timestamptz)',
  body: /* sql */ `
      RETURNS TABLE (kind text, waiting bigint, scheduled bigint, in_flight bigint, failed bigint)
      LANGUAGE sql STABLE AS $$
        SELECT c.kind, sum(c.waiting)::bigint, sum(c.scheduled)::bigint, sum(c.in_flight)::bigint, sum(c.failed)::bigint
          FROM (
            SELECT w.kind, count(*), 0, 0, 0 FROM annals.work w
             WHERE ${waits('w')} AND w.available_at <= at GROUP BY w.kind
            UNION ALL
            SELECT w.kind, 0, count(*), 0, 0 FROM annals.work w
             WHERE ${waits('w')} AND w.is_scheduled AND w.available_at > at GROUP BY w.kind
            UNION ALL
            SELECT w.kind, 0, 0, count(*), 0 FROM annals.work w WHERE w.released_at IS NOT NULL GROUP BY w.kind
            UNION ALL
            SELECT w.kind, 0, 0, 0, count(*) FROM annals.work w WHERE w.failed_at IS NOT NULL GROUP BY w.kind
          ) c (kind, waiting, scheduled, in_flight, failed)
         GROUP BY c.kind
      $$ ${FEW_OF_MANY_ROWS}`,
};

export const LEASE_IN_LINE = leaseWorkFunction(isInLine, PUT_IN_LINE);

/** Work that is asked for ahead of its time. */
export const SCHEDULED_WORK: MindPart = { tables: TABLES, appPrivileges: {}, functions: [COUNT_WORK] };

import { createFunctions } from '../sql/definer-functions.sql.js';
import { leaseWorkFunction } from '../work/lease-work.sql.js';
import { waits } from '../work/tables.sql.js';
import { isInLine } from './scheduled-work.sql.js';

const TABLES = /* sql */ `
-- Rows that were asked for again for a later time while a worker had them: next to none at any moment.
CREATE INDEX work_claimed_ahead ON annals.work (claimed_until)
  WHERE ${waits('work')} AND is_scheduled AND claimed_until IS NOT NULL`;

/**
 * Puts in line what has become due: once for each row. Its time has come, or the worker that had it when it was asked for
 * again has died, so that what this run was to answer is still open. What somebody else holds is left to the next lease.
 */
const PUT_IN_LINE = /* sql */ `
        WITH due AS (
          SELECT w.tenant_id, w.id FROM annals.work w
           WHERE ${waits('w')} AND w.is_scheduled AND (w.available_at <= at OR w.claimed_until <= at)
           FOR UPDATE OF w SKIP LOCKED)
        UPDATE annals.work w
           SET is_scheduled = false, available_at = least(w.available_at, at), rank_at = least(w.rank_at, at)
          FROM due d WHERE w.tenant_id = d.tenant_id AND w.id = d.id;`;

export const INTERRUPTED_WORK_SQL = [
  TABLES,
  'DROP FUNCTION annals.lease_work',
  createFunctions([leaseWorkFunction(isInLine, PUT_IN_LINE)]),
].join(';\n');

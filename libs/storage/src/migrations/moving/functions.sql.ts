import { OWN } from '../recall/erasure-functions.sql.js';
import { createFunctions, type DefinerFunction } from '../sql/definer-functions.sql.js';

/** An import asks which of its ids were deleted here. */
export const DELETIONS_BY_SUBJECT = 'CREATE INDEX deletions_by_subject ON annals.deletions (of_tenant, subject)';

const FUNCTIONS: readonly DefinerFunction[] = [
  {
    // Which of these ids somebody had deleted, of the session's tenant: memories unless they were restored since.
    signature: 'find_deleted_ids(ids uuid[])',
    body: /* sql */ `
      RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
        SELECT l.subject::uuid FROM (
          SELECT DISTINCT ON (d.subject) d.subject, d.kind FROM annals.deletions d
           WHERE d.of_tenant = ${OWN} AND d.subject = ANY (ids::text[])
             AND d.kind IN ('memory', 'memory_restored', 'memory_forgotten', 'message', 'conversation')
           ORDER BY d.subject, d.ordinal DESC) l
         WHERE l.kind <> 'memory_restored'
      $$`,
  },
];

export const MOVING_FUNCTIONS_SQL = createFunctions(FUNCTIONS);

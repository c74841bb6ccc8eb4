import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';

/**
 * Why rows wait and why they have failed: counts by kind, state and code over all tenants. Of each table and state
 * `at_most` rows are read. A batch says itself why it waits or has failed, and its stage tells the kind.
 */
const EXPLAIN_WORK: DefinerFunction = {
  signature: 'explain_work(at_most integer)',
  body: /* sql */ `
      RETURNS TABLE (kind text, state text, code text, rows bigint) LANGUAGE sql STABLE AS $$
        WITH reasons AS (
          (SELECT w.kind, 'deferred' AS state, w.deferred_reason AS code FROM annals.work w
            WHERE w.deferred_reason IS NOT NULL LIMIT at_most)
          UNION ALL
          (SELECT w.kind, 'failed', w.failure_code FROM annals.work w WHERE w.failed_at IS NOT NULL LIMIT at_most)
          UNION ALL
          (SELECT CASE WHEN b.extracted_at IS NULL THEN 'extraction' ELSE 'persistence' END, 'deferred', b.deferred_reason
             FROM annals.batches b WHERE b.deferred_reason IS NOT NULL AND b.state = 'deferred' LIMIT at_most)
          UNION ALL
          (SELECT CASE WHEN b.extracted_at IS NULL THEN 'extraction' ELSE 'persistence' END, 'failed', b.error_code
             FROM annals.batches b WHERE b.error_code IS NOT NULL AND b.state = 'failed' LIMIT at_most)
        )
        SELECT r.kind, r.state, r.code, count(*) FROM reasons r GROUP BY r.kind, r.state, r.code
         ORDER BY r.kind, r.state, count(*) DESC, r.code
      $$ ${FEW_OF_MANY_ROWS}`,
};

/** Whether a key is an operator's and valid, by its id: what a session in the queue UI rests on. */
const FIND_OPERATOR_KEY: DefinerFunction = {
  signature: 'find_operator_key(of_tenant uuid, key uuid)',
  body: /* sql */ `
      RETURNS TABLE (expires_at timestamptz) LANGUAGE sql STABLE AS $$
        SELECT k.expires_at FROM annals.api_keys k
         WHERE k.tenant_id = of_tenant AND k.id = key AND k.operator AND k.revoked_at IS NULL
        UNION ALL
        SELECT NULL FROM annals.operator_keys o WHERE of_tenant IS NULL AND o.id = key AND o.revoked_at IS NULL
      $$`,
};

export const EXPLAIN_WORK_SQL = createFunctions([EXPLAIN_WORK, FIND_OPERATOR_KEY]);

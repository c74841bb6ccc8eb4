import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createFunctions } from './sql/definer-functions.sql.js';

/** What each tenant has cost on some days, for the operator of the deployment. */
export class SumTenantCosts1764790000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS_SQL);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only. Restore a backup to go back.');
  }
}

// The tenants of a page first, and then the days of each in `usage_by_day`, which has the costs in it.
const FUNCTIONS_SQL = createFunctions([
  {
    signature: 'sum_tenant_costs(first_day date, last_day date, after uuid, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, name text, calls bigint, cost_micro_usd bigint) LANGUAGE sql STABLE AS $$
        SELECT t.tenant_id, t.name, c.calls, c.cost_micro_usd
          FROM (SELECT p.tenant_id, p.name FROM annals.tenants p
                 WHERE after IS NULL OR p.tenant_id > after ORDER BY p.tenant_id LIMIT max_rows) t
         CROSS JOIN LATERAL (
               SELECT count(*) AS calls, coalesce(sum(u.cost_micro_usd), 0)::bigint AS cost_micro_usd
                 FROM annals.usage u
                WHERE u.tenant_id = t.tenant_id AND u.day BETWEEN first_day AND last_day) c
         ORDER BY t.tenant_id
      $$`,
  },
  {
    signature: 'sum_deleted_tenant_costs(first_day date, last_day date)',
    body: /* sql */ `
      RETURNS bigint LANGUAGE sql STABLE AS $$
        SELECT coalesce(sum(d.cost_micro_usd), 0)::bigint FROM annals.departed_spend d
         WHERE d.day BETWEEN first_day AND last_day
      $$`,
  },
]);

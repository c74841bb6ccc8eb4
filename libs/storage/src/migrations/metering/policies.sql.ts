import { forceTenantPolicies, grantToDefiner } from '../sql/tenant-policies.sql.js';

/** Tables of this migration whose rows belong to a tenant. */
export const METERING_TENANT_TABLES = ['reservations', 'call_answers', 'budgets'] as const;

const APP_PRIVILEGES: Record<(typeof METERING_TENANT_TABLES)[number], string> = {
  reservations: 'SELECT, INSERT, DELETE',
  call_answers: 'SELECT, INSERT, DELETE',
  budgets: 'SELECT, INSERT, UPDATE, DELETE',
};

/** Of no tenant, so services only read them; functions write. */
const SHARED_READS = ['deployment_budgets', 'budget_epochs'];

const DEFINER_PRIVILEGES: Record<string, string> = {
  // UPDATE, of any column, is what SELECT … FOR UPDATE asks for.
  reservations: 'SELECT, UPDATE (expires_at)',
  usage: 'SELECT (id, provider, day, cost_micro_usd), INSERT',
  batches: 'UPDATE (cost_micro_usd, deferred_until, revision)',
  budgets: 'SELECT (updated_at)',
  deployment_budgets: 'SELECT, INSERT, UPDATE, DELETE',
  budget_alerts: 'INSERT',
  budget_epochs: 'SELECT, INSERT, UPDATE',
  departed_spend: 'SELECT, INSERT, UPDATE',
};

export const METERING_POLICIES_SQL = [
  ...forceTenantPolicies(APP_PRIVILEGES),
  ...SHARED_READS.map((table) => `GRANT SELECT ON annals.${table} TO annals_app`),
  ...grantToDefiner(DEFINER_PRIVILEGES),
].join(';\n');

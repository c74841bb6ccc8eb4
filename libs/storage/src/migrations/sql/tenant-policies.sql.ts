// Without a tenant the setting is empty, the comparison is null and no row passes. The sub-select makes it an InitPlan:
// evaluated once a statement, usable as an index condition.
const IS_OWN = `tenant_id = (SELECT nullif(current_setting('annals.tenant', true), '')::uuid)`;

/**
 * Shuts tables off for everyone but their tenant; services get the privileges named, by table
 * (docs/reference/isolation.md#row-level-security).
 */
export function forceTenantPolicies(appPrivileges: Readonly<Record<string, string>>): string[] {
  return Object.entries(appPrivileges).flatMap(([table, privileges]) => [
    `ALTER TABLE annals.${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE annals.${table} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY own_tenant ON annals.${table} TO annals_app USING (${IS_OWN}) WITH CHECK (${IS_OWN})`,
    `GRANT ${privileges} ON annals.${table} TO annals_app`,
    // Deleting a tenant reaches every table, through one function and for one tenant at a time.
    `CREATE POLICY any_tenant ON annals.${table} TO annals_definer USING (true) WITH CHECK (true)`,
    `GRANT DELETE, SELECT (tenant_id) ON annals.${table} TO annals_definer`,
  ]);
}

/** Privileges by table for the functions that look across tenants, beyond deleting a tenant. */
export function grantToDefiner(privileges: Readonly<Record<string, string>>): string[] {
  return Object.entries(privileges).map(([table, granted]) => `GRANT ${granted} ON annals.${table} TO annals_definer`);
}

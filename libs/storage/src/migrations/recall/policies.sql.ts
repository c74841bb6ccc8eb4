import { forceTenantPolicies, grantToDefiner } from '../sql/tenant-policies.sql.js';
import { RECALL_PARTS } from './parts.js';

export const RECALL_POLICIES_SQL = RECALL_PARTS.flatMap(({ appPrivileges, appGrants = {}, definerPrivileges = {} }) => [
  ...forceTenantPolicies(appPrivileges),
  ...Object.entries(appGrants).map(([table, granted]) => `GRANT ${granted} ON annals.${table} TO annals_app`),
  ...grantToDefiner(definerPrivileges),
]).join(';\n');

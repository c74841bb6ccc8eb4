import { INITIAL_TENANT_TABLES } from './initial/policies.sql.js';
import { METERING_TENANT_TABLES } from './metering/policies.sql.js';

/** Tables whose rows belong to a tenant: policy forced on each (decision 38). */
export const TENANT_TABLES = [...INITIAL_TENANT_TABLES, ...METERING_TENANT_TABLES] as const;

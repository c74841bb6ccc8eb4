import { APP_TENANT_TABLES } from './apps/functions.sql.js';
import { LANGGRAPH_CHECKPOINT_TABLES } from './langgraph/functions.sql.js';
import { LANGGRAPH_LOGIN_TABLES } from './langgraph/direct.sql.js';
import { LANGGRAPH_STORE_TABLES } from './langgraph/store-functions.sql.js';
import { INITIAL_TENANT_TABLES } from './initial/policies.sql.js';
import { MIND_TENANT_TABLES } from './minds/parts.js';
import { METERING_TENANT_TABLES } from './metering/policies.sql.js';
import { DROPPED_TABLES, RECALL_TENANT_TABLES } from './recall/parts.js';
import { VAULT_TENANT_TABLES } from './vault/functions.sql.js';
import { WEBHOOK_TENANT_TABLES } from './webhooks/functions.sql.js';

/** Tables whose rows go with that of their tenant: what nobody has to lock or count. */
export const GONE_WITH_TENANT: readonly string[] = ['dry_runs'];

/** Tables whose rows belong to a tenant: policy forced on each (docs/reference/isolation.md#row-level-security). */
export const TENANT_TABLES: readonly string[] = [
  ...INITIAL_TENANT_TABLES.filter((table) => !DROPPED_TABLES.includes(table)).map((table) =>
    table === 'outbox' ? 'work' : table,
  ),
  ...METERING_TENANT_TABLES,
  ...RECALL_TENANT_TABLES,
  ...MIND_TENANT_TABLES,
  ...APP_TENANT_TABLES,
  ...LANGGRAPH_CHECKPOINT_TABLES,
  ...LANGGRAPH_STORE_TABLES,
  ...LANGGRAPH_LOGIN_TABLES,
  ...GONE_WITH_TENANT,
  ...WEBHOOK_TENANT_TABLES,
  ...VAULT_TENANT_TABLES,
];

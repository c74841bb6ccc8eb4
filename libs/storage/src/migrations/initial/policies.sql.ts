/** Tables whose rows belong to a tenant: policy forced on each (decision 38). */
export const TENANT_TABLES = [
  'tenants',
  'api_keys',
  'users',
  'conversations',
  'batches',
  'messages',
  'extractions',
  'outbox',
  'memories',
  'memory_sources',
  'memory_embeddings',
  'memory_terms',
  'relations',
  'thread_revisions',
  'change_log',
  'history',
  'events',
  'usage',
  'idempotency_keys',
] as const;

/** What services may do with each table; what is append-only for them says so here. */
const APP_PRIVILEGES: Record<(typeof TENANT_TABLES)[number], string> = {
  tenants: 'SELECT',
  api_keys: 'SELECT, INSERT, UPDATE (revoked_at)',
  users: 'SELECT, INSERT, UPDATE',
  conversations: 'SELECT, INSERT, UPDATE',
  batches: 'SELECT, INSERT, UPDATE',
  messages: 'SELECT, INSERT',
  extractions: 'SELECT, INSERT, UPDATE, DELETE',
  outbox: 'SELECT, INSERT, UPDATE, DELETE',
  memories: 'SELECT, INSERT, UPDATE',
  memory_sources: 'SELECT, INSERT',
  memory_embeddings: 'SELECT, INSERT, DELETE',
  memory_terms: 'SELECT, INSERT, DELETE',
  relations: 'SELECT, INSERT',
  thread_revisions: 'SELECT, INSERT, UPDATE',
  change_log: 'SELECT, INSERT',
  history: 'SELECT, INSERT',
  events: 'SELECT, INSERT',
  usage: 'SELECT, INSERT',
  idempotency_keys: 'SELECT, INSERT, DELETE',
};

/** What the functions that look across tenants may touch. */
const DEFINER_PRIVILEGES: Record<string, string> = {
  api_keys: 'SELECT',
  operator_keys: 'SELECT',
  // UPDATE, of any column, is what SELECT … FOR UPDATE asks for.
  tenants: 'SELECT, INSERT, UPDATE',
  users: 'UPDATE (created_at)',
  conversations: 'UPDATE (updated_at)',
  outbox: 'SELECT, UPDATE',
  batches: 'SELECT, UPDATE (generation)',
  idempotency_keys: 'SELECT (created_at)',
};

// Without a tenant the setting is empty, the comparison is null and no row passes. The sub-select makes it an InitPlan:
// evaluated once a statement, usable as an index condition.
const IS_OWN = `tenant_id = (SELECT nullif(current_setting('annals.tenant', true), '')::uuid)`;

export const POLICIES_SQL = [
  ...TENANT_TABLES.flatMap((table) => [
    `ALTER TABLE annals.${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE annals.${table} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY own_tenant ON annals.${table} TO annals_app USING (${IS_OWN}) WITH CHECK (${IS_OWN})`,
    `GRANT ${APP_PRIVILEGES[table]} ON annals.${table} TO annals_app`,
    // Deleting a tenant reaches every table, through one function and for one tenant at a time.
    `CREATE POLICY any_tenant ON annals.${table} TO annals_definer USING (true) WITH CHECK (true)`,
    `GRANT DELETE, SELECT (tenant_id) ON annals.${table} TO annals_definer`,
  ]),
  ...Object.entries(DEFINER_PRIVILEGES).map(
    ([table, privileges]) => `GRANT ${privileges} ON annals.${table} TO annals_definer`,
  ),
].join(';\n');

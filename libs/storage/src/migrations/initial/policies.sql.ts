import { forceTenantPolicies, grantToDefiner } from '../sql/tenant-policies.sql.js';

/** Tables whose rows belong to a tenant, parents before children. */
export const INITIAL_TENANT_TABLES = [
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
const APP_PRIVILEGES: Record<(typeof INITIAL_TENANT_TABLES)[number], string> = {
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

export const POLICIES_SQL = [...forceTenantPolicies(APP_PRIVILEGES), ...grantToDefiner(DEFINER_PRIVILEGES)].join(';\n');

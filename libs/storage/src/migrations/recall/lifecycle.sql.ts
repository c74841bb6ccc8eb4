import { TENANT } from '../sql/tenant-column.sql.js';
import { LIFECYCLE_FUNCTIONS } from './lifecycle-functions.sql.js';
import type { RecallPart } from './recall-part.js';

const TABLES = /* sql */ `
-- Jobs of the whole fleet, of no tenant. One process at a time holds the lease of each.
CREATE TABLE annals.maintenance_jobs (
  name text NOT NULL PRIMARY KEY,
  due_at timestamptz NOT NULL,
  leased_by uuid,
  lease_until timestamptz,
  -- Where the pass goes on; null when none is under way.
  cursor jsonb,
  completed_at timestamptz,
  runs bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  -- Runs that failed since one did not.
  failures integer NOT NULL DEFAULT 0,
  last_error text,
  failed_at timestamptz
);

-- Apart from memories: what is written after every answer is then a row of a few bytes, updated in place (HOT) on a page
-- with room for it, and touches none of the many indexes of a memory.
CREATE TABLE annals.memory_access (
  ${TENANT},
  memory_id uuid NOT NULL,
  last_accessed_at timestamptz NOT NULL,
  access_count integer NOT NULL,
  PRIMARY KEY (tenant_id, memory_id),
  FOREIGN KEY (tenant_id, memory_id) REFERENCES annals.memories (tenant_id, id)
) WITH (fillfactor = 60);
ALTER TABLE annals.memories
  DROP CONSTRAINT memories_deleted_by_check,
  ADD CONSTRAINT memories_deleted_by_check CHECK (deleted_by IN ('user', 'ttl', 'undo'));
ALTER TABLE annals.memories DROP COLUMN last_accessed_at, DROP COLUMN access_count;

CREATE INDEX memories_to_purge ON annals.memories (purge_at, tenant_id, id) WHERE purge_at IS NOT NULL;

-- The oldest of all tenants go first.
CREATE INDEX events_by_time ON annals.events (ts);

-- Not WHERE state = …, as with batches_deferred: nothing but a failure and its replay writes an error's code.
CREATE INDEX batches_failed ON annals.batches (tenant_id, id) WHERE error_code IS NOT NULL;
`;

export const LIFECYCLE: RecallPart = {
  tables: TABLES,
  appPrivileges: { memory_access: 'SELECT, INSERT, UPDATE' },
  definerPrivileges: {
    maintenance_jobs: 'SELECT, INSERT, UPDATE',
    memories: 'SELECT (id, user_id, state, pinned, importance, updated_at, superseded_by, deleted_by, purge_at)',
    memory_access: 'SELECT (memory_id, last_accessed_at)',
    memory_sources: 'SELECT (memory_id, message_id, said_at, batch_id)',
    extractions: 'SELECT (batch_id), UPDATE (answer, items)',
    memory_embeddings: 'SELECT (memory_id)',
    relations: 'SELECT (from_id, to_id)',
    messages: 'SELECT (id, hidden_at), UPDATE (hidden_at)',
    history: 'SELECT (memory_id, event, batch_id), UPDATE (content, salt)',
    events: 'SELECT (id, ts), UPDATE (ts)',
  },
  functions: LIFECYCLE_FUNCTIONS,
};

import type { MindPart } from '../minds/mind-part.js';
import { TENANT } from '../sql/tenant-column.sql.js';

const TABLES = /* sql */ `
-- Threads of LangGraph (docs/reference/langgraph.md#threads). A thread that names no user belongs to one of its own.
CREATE TABLE annals.langgraph_threads (
  ${TENANT},
  thread_key uuid NOT NULL,
  thread_id text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, thread_key),
  CONSTRAINT langgraph_threads_thread_id UNIQUE (tenant_id, thread_id),
  CONSTRAINT langgraph_threads_tenant_id_user_id_fkey
    FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
CREATE INDEX langgraph_threads_by_user ON annals.langgraph_threads (tenant_id, user_id, thread_id);

-- The checkpoint namespaces of a thread: the graph itself and its subgraphs. Checkpoints of one are written in its lock.
CREATE TABLE annals.langgraph_namespaces (
  ${TENANT},
  namespace_key uuid NOT NULL,
  thread_key uuid NOT NULL,
  checkpoint_ns text NOT NULL,
  -- The state that was stored last; 0 without any.
  seq integer NOT NULL,
  -- The last state that is stored whole, how long it is as stored, and how much was stored behind it.
  whole_seq integer NOT NULL,
  whole_bytes integer NOT NULL,
  delta_bytes integer NOT NULL,
  -- Of the state that was stored last.
  bytes integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, namespace_key),
  CONSTRAINT langgraph_namespaces_checkpoint_ns UNIQUE (tenant_id, thread_key, checkpoint_ns)
-- No index holds what a checkpoint changes, and there is room on the page: its row is written again in place (HOT).
) WITH (fillfactor = 70);

-- Whole states and, behind each, what the next ones change of it, in the order in which they were stored. No foreign key:
-- whoever writes or deletes one holds the lock of its namespace.
CREATE TABLE annals.langgraph_checkpoints (
  ${TENANT},
  namespace_key uuid NOT NULL,
  seq integer NOT NULL,
  -- The whole state that it stands on; its own number when it is whole itself.
  whole_seq integer NOT NULL,
  -- Null: the checkpoint is gone, and the state stays for those that stand on it.
  checkpoint_id text COLLATE "C",
  parent_id text COLLATE "C",
  -- For filters: what jsonb can hold of it. The state has all of it.
  metadata jsonb NOT NULL,
  -- Channels whose value is made from the writes of ancestors (LangGraph's DeltaChannel).
  replayed_channels text[],
  bytes integer NOT NULL,
  body bytea NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, namespace_key, seq)
);
-- Compressed before it comes here.
ALTER TABLE annals.langgraph_checkpoints ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX langgraph_checkpoints_by_id ON annals.langgraph_checkpoints (tenant_id, namespace_key, checkpoint_id)
  WHERE checkpoint_id IS NOT NULL;

-- What tasks have written for the checkpoint that comes behind the one named. Its writer holds the namespace.
CREATE TABLE annals.langgraph_writes (
  ${TENANT},
  namespace_key uuid NOT NULL,
  checkpoint_id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  idx integer NOT NULL,
  task_path text COLLATE "C" NOT NULL,
  channel text NOT NULL,
  -- What the serializer calls the form of the value.
  type text NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (tenant_id, namespace_key, checkpoint_id, task_id, idx)
);
ALTER TABLE annals.langgraph_writes ALTER COLUMN body SET STORAGE EXTERNAL;
`;

const NAMESPACES_OF_USER = `
  SELECT n.namespace_key FROM annals.langgraph_namespaces n
    JOIN annals.langgraph_threads h ON h.tenant_id = n.tenant_id AND h.thread_key = n.thread_key
   WHERE n.tenant_id = own AND h.user_id = of_user`;

export const LANGGRAPH_CHECKPOINTS: MindPart = {
  tables: TABLES,
  appPrivileges: {
    langgraph_writes: 'SELECT, INSERT, UPDATE, DELETE',
    langgraph_checkpoints: 'SELECT, INSERT, UPDATE, DELETE',
    langgraph_namespaces: 'SELECT, INSERT, UPDATE, DELETE',
    langgraph_threads: 'SELECT, INSERT, UPDATE, DELETE',
  },
  definerPrivileges: {
    langgraph_writes: 'SELECT (namespace_key)',
    langgraph_checkpoints: 'SELECT (namespace_key, seq, saved_at)',
    // A row is locked by who may update a column.
    langgraph_namespaces: 'SELECT (namespace_key, thread_key, seq), UPDATE (updated_at)',
    langgraph_threads: 'SELECT (thread_key, user_id), UPDATE (user_id)',
  },
  erased: {
    langgraph_writes: `t.namespace_key IN (${NAMESPACES_OF_USER})`,
    langgraph_checkpoints: `t.namespace_key IN (${NAMESPACES_OF_USER})`,
    langgraph_namespaces: `t.namespace_key IN (${NAMESPACES_OF_USER})`,
    langgraph_threads: 't.user_id = of_user',
  },
  functions: [
    {
      // A window of the namespaces behind the given one, and which of them keep a checkpoint that is too old.
      signature:
        'look_for_old_langgraph_checkpoints(before timestamptz, after_tenant uuid, after_key uuid, most integer)',
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, namespace_key uuid, is_due boolean) LANGUAGE sql STABLE AS $$
          SELECT n.tenant_id, n.namespace_key,
                 coalesce((SELECT c.saved_at < before FROM annals.langgraph_checkpoints c
                            WHERE c.tenant_id = n.tenant_id AND c.namespace_key = n.namespace_key AND c.seq < n.seq
                            ORDER BY c.seq LIMIT 1), false)
            FROM annals.langgraph_namespaces n
           WHERE (n.tenant_id, n.namespace_key) > (after_tenant, after_key)
           ORDER BY n.tenant_id, n.namespace_key LIMIT most
        $$`,
    },
  ],
};

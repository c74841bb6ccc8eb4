import type { MindPart } from '../minds/mind-part.js';
import { TENANT } from '../sql/tenant-column.sql.js';
import { widenCheck } from '../sql/widen-check.sql.js';

const KINDS = ['insights', 'consolidation', 'summary', 'app_memory'];

const OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
  'insights',
  'consolidation',
  'summary',
  'app_memory',
  'app_compaction',
];

const TABLES = /* sql */ `
-- Since when a conversation counts as one with memories of its app in a prompt.
ALTER TABLE annals.conversations ADD COLUMN memories_injected_at timestamptz;

-- The apps that are installed (docs/reference/app-memories.md#apps). No key leads to them: conversations and memories
-- name apps that are not installed, too.
CREATE TABLE annals.apps (
  ${TENANT},
  app_id text NOT NULL,
  name text NOT NULL,
  -- One pool of memories for all users.
  is_shared boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, app_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);

CREATE TABLE annals.app_memories (
  ${TENANT},
  id uuid NOT NULL,
  app_id text NOT NULL,
  -- The conversation that it was made from, and whose that is. Others may be merged into it: app_memory_sources.
  user_id text NOT NULL,
  conversation_id uuid NOT NULL,
  -- Last message of the conversation when it was made.
  as_of_seq integer NOT NULL,
  content text NOT NULL,
  -- Pending: it is made and waits for the decision about eleven.
  state text NOT NULL
    CONSTRAINT app_memories_state_check CHECK (state IN ('pending', 'active', 'superseded', 'removed')),
  -- The memory that took the place of a superseded one.
  replaced_by uuid,
  provider text NOT NULL,
  model text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT app_memories_tenant_id_conversation_id_fkey
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES annals.conversations (tenant_id, id)
);
CREATE INDEX app_memories_active ON annals.app_memories (tenant_id, app_id, user_id) WHERE state = 'active';
CREATE UNIQUE INDEX app_memories_pending ON annals.app_memories (tenant_id, conversation_id) WHERE state = 'pending';
CREATE INDEX app_memories_by_app ON annals.app_memories (tenant_id, app_id, id);
CREATE INDEX app_memories_by_user ON annals.app_memories (tenant_id, user_id, id);
CREATE INDEX app_memories_by_conversation ON annals.app_memories (tenant_id, conversation_id);
CREATE INDEX app_memories_replaced ON annals.app_memories (tenant_id, replaced_by) WHERE replaced_by IS NOT NULL;

-- The messages that an app memory rests on, its own and those of what was merged into it. Of other conversations and, in
-- the pool of a shared app, of other users too: it goes with any of them.
CREATE TABLE annals.app_memory_sources (
  ${TENANT},
  app_memory_id uuid NOT NULL,
  message_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  user_id text NOT NULL,
  PRIMARY KEY (tenant_id, app_memory_id, message_id),
  CONSTRAINT app_memory_sources_tenant_id_app_memory_id_fkey
    FOREIGN KEY (tenant_id, app_memory_id) REFERENCES annals.app_memories (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX app_memory_sources_by_conversation ON annals.app_memory_sources (tenant_id, conversation_id, app_memory_id);
CREATE INDEX app_memory_sources_by_user ON annals.app_memory_sources (tenant_id, user_id, app_memory_id);
`;

/** What was made from conversations, and what others of them were merged into: one array, since an index takes no OR. */
const restsOn = (column: string, owner: string) =>
  `t.id = ANY (ARRAY(
          SELECT m.id FROM annals.app_memories m WHERE m.tenant_id = own AND m.${column} = ${owner}
          UNION
          SELECT s.app_memory_id FROM annals.app_memory_sources s WHERE s.tenant_id = own AND s.${column} = ${owner}))`;

/** Apps and what they remember of conversations. */
export const APP_MEMORIES: MindPart = {
  tables: [
    TABLES,
    widenCheck('mind_runs', 'kind', KINDS),
    widenCheck('mind_watermarks', 'kind', KINDS),
    widenCheck('usage', 'operation', OPERATIONS),
    widenCheck('reservations', 'operation', OPERATIONS),
  ].join(';\n'),
  appPrivileges: {
    app_memory_sources: 'SELECT, INSERT',
    app_memories: 'SELECT, INSERT, DELETE, UPDATE (content, state, replaced_by, updated_at)',
    apps: 'SELECT, INSERT, DELETE, UPDATE (name, is_shared, updated_at)',
  },
  definerPrivileges: {
    app_memory_sources: 'SELECT (app_memory_id, conversation_id, user_id)',
    app_memories: 'SELECT (id, app_id, user_id, conversation_id, state)',
    apps: 'SELECT (app_id)',
  },
  functions: [
    {
      signature: 'count_apps()',
      body: /* sql */ `
      RETURNS TABLE (apps bigint, with_memories bigint) LANGUAGE sql STABLE AS $$
        SELECT count(*), count(*) FILTER (WHERE EXISTS (
                 SELECT FROM annals.app_memories m
                  WHERE m.tenant_id = a.tenant_id AND m.app_id = a.app_id AND m.state = 'active'))
          FROM annals.apps a
      $$`,
    },
  ],
  // Their sources, which say whose they are, go with them.
  erased: { app_memories: restsOn('user_id', 'of_user') },
  forgotten: { app_memories: restsOn('conversation_id', 'of_conversation') },
};

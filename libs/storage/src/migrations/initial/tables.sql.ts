import { TENANT } from '../sql/tenant-column.sql.js';

export const TABLES_SQL = /* sql */ `
CREATE EXTENSION IF NOT EXISTS vector SCHEMA public;

CREATE TABLE annals.tenants (
  tenant_id uuid NOT NULL PRIMARY KEY,
  name text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);

CREATE TABLE annals.operator_keys (
  id uuid NOT NULL PRIMARY KEY,
  name text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE annals.api_keys (
  ${TENANT},
  id uuid NOT NULL,
  name text NOT NULL,
  key_hash bytea NOT NULL,
  prefix text NOT NULL,
  scopes text[] NOT NULL,
  -- Only the embedded profile's first key: whoever starts the process is its operator.
  operator boolean NOT NULL DEFAULT false,
  agent_id text,
  user_id text,
  categories text[],
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);
CREATE INDEX api_keys_by_hash ON annals.api_keys (key_hash);

CREATE TABLE annals.users (
  ${TENANT},
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  erased_at timestamptz,
  -- Head of the user's audit chain (docs/reference/writes.md#lock-the-users-row-first,
  -- docs/reference/audit.md#hash-chain-of-the-history).
  chain_seq bigint NOT NULL DEFAULT 0,
  chain_head bytea,
  -- Collection statistics of the lexical index: served memories and the sum of their lengths in terms.
  memory_count integer NOT NULL DEFAULT 0,
  term_total bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);

CREATE TABLE annals.conversations (
  ${TENANT},
  id uuid NOT NULL,
  user_id text NOT NULL,
  thread_id text NOT NULL,
  agent_id text,
  run_id text,
  app_id text,
  message_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, user_id, thread_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);

CREATE TABLE annals.batches (
  ${TENANT},
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  user_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'extracting', 'persisting', 'done', 'deferred', 'failed')),
  message_count integer NOT NULL,
  -- While null, further messages of the conversation may join (docs/reference/batches.md#sealing-a-batch).
  sealed_at timestamptz,
  generation integer NOT NULL DEFAULT 1,
  -- Raised by every claim; a commit under an older fence is refused (docs/reference/batches.md#leases-and-fences).
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  inserted integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  skipped_duplicate integer NOT NULL DEFAULT 0,
  quarantined integer NOT NULL DEFAULT 0,
  provider text,
  model text,
  notice text,
  input_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  cost_micro_usd bigint NOT NULL DEFAULT 0,
  error_code text,
  error_message text,
  trace text,
  accepted_at timestamptz NOT NULL,
  started_at timestamptz,
  extracted_at timestamptz,
  finished_at timestamptz,
  deferred_until timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, conversation_id) REFERENCES annals.conversations (tenant_id, id)
);
CREATE UNIQUE INDEX batches_one_open ON annals.batches (tenant_id, conversation_id) WHERE sealed_at IS NULL;
CREATE INDEX batches_by_conversation ON annals.batches (tenant_id, conversation_id, id);
CREATE INDEX batches_by_finish ON annals.batches (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE annals.messages (
  ${TENANT},
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  seq integer NOT NULL,
  external_id text,
  role text NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
  actor_id text,
  agent_id text,
  run_id text,
  app_id text,
  content text NOT NULL,
  -- Keyed HMAC of the words as they came in, before redaction (docs/reference/privacy.md#hmac-of-original-messages).
  content_hmac bytea,
  said_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, conversation_id, seq),
  -- The conversation is its batch's: a second key would double the checks on the way of every accepted message.
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);
CREATE UNIQUE INDEX messages_by_external_id ON annals.messages (tenant_id, conversation_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX messages_by_batch ON annals.messages (tenant_id, batch_id, seq);

CREATE TABLE annals.extractions (
  ${TENANT},
  batch_id uuid NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  -- The provider's answer as it came: durable before it is handed on, so it is never bought twice
  -- (docs/reference/batches.md#a-paid-answer-is-durable).
  answer text,
  items jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id),
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);

CREATE TABLE annals.outbox (
  ${TENANT},
  id uuid NOT NULL,
  queue text NOT NULL,
  batch_id uuid NOT NULL,
  generation integer NOT NULL,
  available_at timestamptz NOT NULL,
  -- available_at less the head start of its priority: ordering by it ages bulk work by construction
  -- (docs/reference/queues.md#priority-and-ageing).
  rank_at timestamptz NOT NULL,
  leased_until timestamptz,
  released_at timestamptz,
  checked_at timestamptz,
  trace text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, batch_id, queue),
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);
CREATE INDEX outbox_waiting ON annals.outbox (queue, tenant_id, rank_at) WHERE released_at IS NULL;
CREATE INDEX outbox_due ON annals.outbox (available_at) WHERE released_at IS NULL;
CREATE INDEX outbox_in_flight ON annals.outbox (queue, tenant_id) WHERE released_at IS NOT NULL;
CREATE INDEX outbox_released ON annals.outbox (released_at) WHERE released_at IS NOT NULL;

CREATE TABLE annals.memories (
  ${TENANT},
  id uuid NOT NULL,
  user_id text NOT NULL,
  category text NOT NULL,
  type text NOT NULL CHECK (type IN ('semantic', 'episodic', 'procedural', 'insight')),
  content text NOT NULL,
  normalized_hash text NOT NULL,
  hash_version text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'quarantined', 'soft_deleted')),
  origin text NOT NULL CHECK (origin IN ('extraction', 'manual')),
  importance smallint NOT NULL CHECK (importance BETWEEN 1 AND 5),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  pinned boolean NOT NULL DEFAULT false,
  emotional_context jsonb,
  significance jsonb,
  relationship_dynamics jsonb,
  rationale text,
  clustering_metadata jsonb,
  cluster_participation_count integer NOT NULL DEFAULT 0,
  provider text,
  model text,
  cost_micro_usd bigint NOT NULL DEFAULT 0,
  quarantine_reason text,
  revision integer NOT NULL DEFAULT 1,
  term_count integer NOT NULL DEFAULT 0,
  -- When it holds in the world …
  valid_from timestamptz NOT NULL,
  valid_to timestamptz,
  superseded_by uuid,
  -- … and when we learnt of it, and of its end (docs/reference/truth-and-time.md#superseding-a-memory).
  recorded_at timestamptz NOT NULL,
  closed_at timestamptz,
  updated_at timestamptz NOT NULL,
  last_accessed_at timestamptz,
  access_count integer NOT NULL DEFAULT 0,
  deleted_at timestamptz,
  deleted_by text CHECK (deleted_by IN ('user', 'ttl')),
  purge_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
-- Duplicates exist only among what is active and current (docs/reference/writes.md#unique-among-current-memories):
-- Berlin, Munich, Berlin are three rows.
CREATE UNIQUE INDEX memories_one_current ON annals.memories (tenant_id, user_id, normalized_hash)
  WHERE state = 'active' AND superseded_by IS NULL AND valid_to IS NULL;
CREATE UNIQUE INDEX memories_one_quarantined ON annals.memories (tenant_id, user_id, normalized_hash)
  WHERE state = 'quarantined';
CREATE INDEX memories_by_hash ON annals.memories (tenant_id, user_id, normalized_hash);
CREATE INDEX memories_by_update ON annals.memories (tenant_id, user_id, updated_at DESC, id DESC);
CREATE INDEX memories_by_tenant_update ON annals.memories (tenant_id, updated_at DESC, id DESC);

CREATE TABLE annals.memory_sources (
  ${TENANT},
  memory_id uuid NOT NULL,
  message_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  user_id text NOT NULL,
  thread_id text NOT NULL,
  agent_id text,
  run_id text,
  actor_id text,
  app_id text,
  role text NOT NULL,
  quote text NOT NULL,
  said_at timestamptz NOT NULL,
  batch_id uuid,
  PRIMARY KEY (tenant_id, memory_id, message_id),
  FOREIGN KEY (tenant_id, memory_id) REFERENCES annals.memories (tenant_id, id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES annals.messages (tenant_id, id)
);
CREATE INDEX memory_sources_by_thread ON annals.memory_sources (tenant_id, user_id, thread_id, memory_id);
CREATE INDEX memory_sources_by_message ON annals.memory_sources (tenant_id, message_id);

CREATE TABLE annals.memory_embeddings (
  ${TENANT},
  user_id text NOT NULL,
  model text NOT NULL,
  memory_id uuid NOT NULL,
  content_hash bytea NOT NULL,
  embedding vector NOT NULL,
  PRIMARY KEY (tenant_id, user_id, model, memory_id),
  FOREIGN KEY (tenant_id, memory_id) REFERENCES annals.memories (tenant_id, id)
);
-- Out of line storage made exact scans 2.5 times slower
-- (docs/reference/performance-targets.md#t7-exact-search-by-default); 1 984 dimensions fit a page.
ALTER TABLE annals.memory_embeddings ALTER COLUMN embedding SET STORAGE PLAIN;
CREATE INDEX memory_embeddings_by_content ON annals.memory_embeddings (tenant_id, model, content_hash);
CREATE INDEX memory_embeddings_by_memory ON annals.memory_embeddings (tenant_id, memory_id);

-- Postings of the lexical index: PostgreSQL uses no GIN index for @@ under a policy
-- (docs/reference/isolation.md#postings-instead-of-a-gin-index). No foreign key: it would be checked for each of the
-- hundreds of postings of one batch, and purging goes through memory_terms_by_memory.
CREATE TABLE annals.memory_terms (
  ${TENANT},
  user_id text NOT NULL,
  term text NOT NULL,
  memory_id uuid NOT NULL,
  tf smallint NOT NULL,
  PRIMARY KEY (tenant_id, user_id, term, memory_id) INCLUDE (tf)
);
CREATE INDEX memory_terms_by_memory ON annals.memory_terms (tenant_id, memory_id);

CREATE TABLE annals.relations (
  ${TENANT},
  id uuid NOT NULL,
  user_id text NOT NULL,
  from_id uuid NOT NULL,
  to_id uuid NOT NULL,
  relation_type text NOT NULL DEFAULT 'related_to',
  strength real NOT NULL CHECK (strength BETWEEN 0 AND 1),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, from_id, to_id, relation_type),
  FOREIGN KEY (tenant_id, from_id) REFERENCES annals.memories (tenant_id, id),
  FOREIGN KEY (tenant_id, to_id) REFERENCES annals.memories (tenant_id, id)
);
CREATE INDEX relations_by_target ON annals.relations (tenant_id, to_id);

CREATE TABLE annals.thread_revisions (
  ${TENANT},
  user_id text NOT NULL,
  thread_id text NOT NULL,
  rev bigint NOT NULL,
  PRIMARY KEY (tenant_id, user_id, thread_id)
);

CREATE TABLE annals.change_log (
  ${TENANT},
  user_id text NOT NULL,
  thread_id text NOT NULL,
  rev bigint NOT NULL,
  -- Place among the changes of one transaction, which share a revision.
  n integer NOT NULL,
  memory_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('created', 'updated', 'merged', 'deleted', 'soft_deleted', 'restored')),
  category text NOT NULL,
  meta jsonb NOT NULL DEFAULT '{}',
  ts timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, thread_id, rev, n)
);
CREATE INDEX change_log_by_memory ON annals.change_log (tenant_id, memory_id);

CREATE TABLE annals.history (
  ${TENANT},
  user_id text NOT NULL,
  seq bigint NOT NULL,
  id uuid NOT NULL,
  memory_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('ADD', 'UPDATE', 'DELETE', 'MERGE', 'LINK', 'TTL', 'RESTORE', 'CONSENT', 'UNDO',
    'QUARANTINE', 'PURGE', 'ERASE')),
  old_ref uuid,
  new_ref uuid,
  actor text,
  batch_id uuid,
  meta jsonb NOT NULL DEFAULT '{}',
  -- Erasure deletes content and salt; the chain hashes their HMAC and still verifies
  -- (docs/reference/audit.md#content-leaves-the-chain).
  content text,
  salt bytea,
  content_hmac bytea NOT NULL,
  prev_hash bytea,
  hash bytea NOT NULL,
  ts timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, seq)
);
CREATE INDEX history_by_memory ON annals.history (tenant_id, memory_id, seq);
CREATE INDEX history_by_batch ON annals.history (tenant_id, batch_id) WHERE batch_id IS NOT NULL;

CREATE TABLE annals.events (
  ${TENANT},
  id uuid NOT NULL,
  user_id text,
  thread_id text,
  node text NOT NULL,
  op text NOT NULL,
  status text NOT NULL CHECK (status IN ('ok', 'error', 'skipped')),
  memory_id uuid,
  category text,
  sim real,
  ts timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_by_user ON annals.events (tenant_id, user_id, ts DESC);
CREATE INDEX events_by_node ON annals.events (tenant_id, node, ts DESC);

CREATE TABLE annals.usage (
  ${TENANT},
  id uuid NOT NULL,
  batch_id uuid,
  user_id text,
  operation text NOT NULL CHECK (operation IN ('extraction', 'embedding')),
  provider text NOT NULL,
  model text NOT NULL,
  input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  cost_micro_usd bigint NOT NULL,
  estimated boolean NOT NULL,
  day date NOT NULL,
  ts timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX usage_by_day ON annals.usage (tenant_id, day);

CREATE TABLE annals.idempotency_keys (
  ${TENANT},
  route text NOT NULL,
  key text NOT NULL,
  request_hmac bytea NOT NULL,
  status smallint NOT NULL,
  response jsonb NOT NULL,
  user_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, route, key)
);
CREATE INDEX idempotency_keys_by_age ON annals.idempotency_keys (created_at);
`;

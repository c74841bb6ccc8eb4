import { TENANT } from '../sql/tenant-column.sql.js';

/** Endpoints of tenants, and what is to be told them (docs/reference/webhooks.md). */
export const WEBHOOK_TABLES_SQL = /* sql */ `
-- No table refers to it by a foreign key: a write of memories never waits for, or fails by, who changes an endpoint.
CREATE TABLE annals.webhooks (
  ${TENANT},
  webhook_key uuid NOT NULL,
  -- The name that the client chose. One that is deleted and made again has another key.
  id text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  include text[] NOT NULL,
  -- What its secret is derived from, with the installation's key; the secret itself is stored nowhere.
  salt uuid NOT NULL,
  -- Of secrets before it, which sign as well until then: [{"salt", "until"}].
  previous_secrets jsonb NOT NULL DEFAULT '[]',
  -- Raised by whoever replaces it: an answer that was asked of the endpoint before says nothing about this one.
  revision integer NOT NULL DEFAULT 1,
  disabled_at timestamptz,
  disabled_reason text CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('paused', 'gone', 'failing')),
  -- Attempts in a row that failed, and since when none has succeeded.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- As the receiver asked for (Retry-After).
  paused_until timestamptz,
  last_delivered_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, webhook_key),
  CONSTRAINT webhooks_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT webhooks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);

-- What one endpoint is told about one user, in order; owner '' is of no user. Its row is the lock under which events get
-- their place, so that their order is that in which transactions commit.
CREATE TABLE annals.webhook_feeds (
  ${TENANT},
  owner text NOT NULL,
  webhook_key uuid NOT NULL,
  last_seq bigint NOT NULL,
  -- When its first pending event is to be sent; null without one.
  due_at timestamptz,
  -- The claim of a sender, and an id that no other claim has or had, also of a feed that was deleted and began again.
  leased_until timestamptz,
  lease_id uuid,
  -- Somebody asked for what waits while it was being sent: a failure makes nothing wait.
  retries_now boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, owner, webhook_key)
) WITH (fillfactor = 70);
CREATE INDEX webhook_feeds_due ON annals.webhook_feeds (tenant_id, webhook_key, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_feeds_leased ON annals.webhook_feeds (tenant_id, webhook_key) WHERE leased_until IS NOT NULL;

-- Ids only: the words of a memory are read when they are sent.
CREATE TABLE annals.webhook_deliveries (
  ${TENANT},
  owner text NOT NULL,
  webhook_key uuid NOT NULL,
  seq bigint NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  memory_id uuid,
  data jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending'
    CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'dead')),
  attempts integer NOT NULL DEFAULT 0,
  first_failed_at timestamptz,
  -- Of the last attempt: the status of the response, or a code for why there was none.
  response_status smallint,
  failure text,
  settled_at timestamptz,
  PRIMARY KEY (tenant_id, owner, webhook_key, seq)
);
CREATE INDEX webhook_deliveries_pending ON annals.webhook_deliveries (tenant_id, webhook_key, owner, seq)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_dead ON annals.webhook_deliveries (tenant_id, webhook_key, occurred_at, event_id)
  WHERE status = 'dead';
CREATE INDEX webhook_deliveries_by_time ON annals.webhook_deliveries (tenant_id, webhook_key, occurred_at, event_id);
CREATE INDEX webhook_deliveries_by_age ON annals.webhook_deliveries (occurred_at);
`;

/** What services may do. Events are noted by triggers and functions alone. */
export const WEBHOOK_APP_PRIVILEGES: Readonly<Record<string, string>> = {
  webhook_deliveries:
    'SELECT, DELETE, UPDATE (status, attempts, first_failed_at, response_status, failure, settled_at)',
  webhook_feeds: 'SELECT, DELETE, UPDATE (due_at, leased_until, retries_now)',
  webhooks: 'SELECT, INSERT, UPDATE, DELETE',
};

export const WEBHOOK_DEFINER_PRIVILEGES: Readonly<Record<string, string>> = {
  webhooks: 'SELECT (webhook_key, events, disabled_at, failures, paused_until)',
  webhook_feeds:
    'SELECT (owner, webhook_key, last_seq, due_at, leased_until, lease_id), INSERT, UPDATE (last_seq, due_at, leased_until, lease_id)',
  webhook_deliveries: 'SELECT (owner, webhook_key, seq, occurred_at, status), INSERT',
  memories: 'SELECT (id, revision, superseded_by, valid_to)',
};

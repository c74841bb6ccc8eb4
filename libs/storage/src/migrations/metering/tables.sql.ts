import { TENANT } from '../sql/tenant-column.sql.js';

const MONEY = 'bigint NOT NULL CHECK';

export const METERING_TABLES_SQL = /* sql */ `
-- Calls that are about to be made or running. Truth of what is held; the coordination store is its cache
-- (docs/reference/budgets.md#ledger-and-counters).
CREATE TABLE annals.reservations (
  ${TENANT},
  id uuid NOT NULL,
  batch_id uuid,
  user_id text,
  operation text NOT NULL CHECK (operation IN ('extraction', 'embedding', 'rerank')),
  provider text NOT NULL,
  model text NOT NULL,
  amount_micro_usd ${MONEY} (amount_micro_usd >= 0),
  day date NOT NULL,
  fence bigint,
  generation integer,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id),
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);
CREATE INDEX reservations_by_expiry ON annals.reservations (expires_at);
CREATE INDEX reservations_by_day ON annals.reservations (day, id);

-- Answers that were paid for and could not be read, until the batch has one that can.
CREATE TABLE annals.call_answers (
  ${TENANT},
  call_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  user_id text,
  provider text NOT NULL,
  model text NOT NULL,
  answer text NOT NULL,
  problem text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, call_id),
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);
CREATE INDEX call_answers_by_batch ON annals.call_answers (tenant_id, batch_id);

CREATE TABLE annals.budgets (
  ${TENANT},
  daily_limit_micro_usd ${MONEY} (daily_limit_micro_usd >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);

CREATE TABLE annals.deployment_budgets (
  scope text NOT NULL CHECK (scope IN ('deployment', 'provider')),
  -- The provider's name; empty for the deployment.
  id text NOT NULL,
  daily_limit_micro_usd ${MONEY} (daily_limit_micro_usd >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (scope, id)
);

CREATE TABLE annals.budget_alerts (
  day date NOT NULL,
  scope text NOT NULL CHECK (scope IN ('deployment', 'tenant', 'provider')),
  scope_id text NOT NULL,
  threshold smallint NOT NULL,
  fired_at timestamptz NOT NULL,
  PRIMARY KEY (day, scope, scope_id, threshold)
);

CREATE TABLE annals.budget_epochs (
  day date NOT NULL PRIMARY KEY,
  epoch integer NOT NULL
);

-- What tenants had spent that are gone: deleting one must not make room in the budgets that all share.
CREATE TABLE annals.departed_spend (
  day date NOT NULL,
  provider text NOT NULL,
  cost_micro_usd ${MONEY} (cost_micro_usd >= 0),
  PRIMARY KEY (day, provider)
);

ALTER TABLE annals.usage
  ADD COLUMN generation integer,
  ADD COLUMN outcome text NOT NULL DEFAULT 'ok' CHECK (outcome IN ('ok', 'rate_limit', 'timeout', 'authentication',
    'invalid_request', 'parsing', 'budget_exceeded', 'policy', 'transient', 'unknown', 'lost', 'aborted')),
  ADD COLUMN cache_read_tokens integer NOT NULL DEFAULT 0,
  ADD COLUMN cache_write_tokens integer NOT NULL DEFAULT 0,
  ADD COLUMN duration_ms integer,
  DROP CONSTRAINT usage_operation_check,
  ADD CONSTRAINT usage_operation_check CHECK (operation IN ('extraction', 'embedding', 'rerank'));
-- Both what a day cost and what became of a call are answered from it alone, whoever the tenant is.
CREATE INDEX usage_by_call ON annals.usage (day, id) INCLUDE (tenant_id, provider, cost_micro_usd);
-- A tenant's day is added up before every look at its budget: without the cost in it, the planner takes usage_by_call
-- and reads the day of all tenants.
DROP INDEX annals.usage_by_day;
CREATE INDEX usage_by_day ON annals.usage (tenant_id, day) INCLUDE (cost_micro_usd);
CREATE INDEX usage_by_batch ON annals.usage (tenant_id, batch_id) WHERE batch_id IS NOT NULL;

ALTER TABLE annals.batches
  ADD COLUMN deferred_reason text CHECK (deferred_reason IN ('budget_exceeded', 'circuit_open')),
  ADD COLUMN shortfall_micro_usd bigint,
  ADD COLUMN priority text NOT NULL DEFAULT 'interactive' CHECK (priority IN ('interactive', 'bulk')),
  ADD COLUMN pruned_messages integer NOT NULL DEFAULT 0;
-- Not WHERE state = …: a state that is part of an index makes every step of every batch write all its indexes anew.
CREATE INDEX batches_deferred ON annals.batches (deferred_reason, tenant_id, id) WHERE deferred_reason IS NOT NULL;

ALTER TABLE annals.extractions ADD COLUMN prompt_version text, ADD COLUMN diagnostics jsonb;

-- Work with a head start and work without one lie apart, each in order of when it is due, so that looking for due rows
-- ends at the first that is not. By rank_at alone, work that is not due yet would lie before bulk work that is.
DROP INDEX annals.outbox_waiting;
CREATE INDEX outbox_waiting ON annals.outbox
  (queue, tenant_id, (CASE WHEN rank_at < available_at THEN 1 ELSE 0 END), available_at) WHERE released_at IS NULL;
`;

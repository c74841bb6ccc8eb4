import { TENANT } from '../sql/tenant-column.sql.js';
import { WORK_OF_CONVERSATION } from '../work/functions.sql.js';
import { widenCheck } from '../sql/widen-check.sql.js';
import type { MindPart } from './mind-part.js';

const KINDS = `'insights', 'consolidation', 'summary'`;

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
];

const TABLES = /* sql */ `
-- One run of a mind about one subject (docs/reference/minds.md#runs). Numbers and ids; what a run changed is in tables
-- of its mind.
CREATE TABLE annals.mind_runs (
  ${TENANT},
  id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT mind_runs_kind_check CHECK (kind IN (${KINDS})),
  subject_id uuid NOT NULL,
  -- Whose data it is about. The key makes an erasure wait for a run that begins, or the run fail behind it.
  user_id text,
  trigger text NOT NULL
    CONSTRAINT mind_runs_trigger_check CHECK (trigger IN ('schedule', 'batch', 'end', 'idle', 'manual')),
  is_dry_run boolean NOT NULL,
  state text NOT NULL DEFAULT 'running' CONSTRAINT mind_runs_state_check
    CHECK (state IN ('queued', 'running', 'done', 'unchanged', 'deferred', 'failed', 'undone')),
  watermark text,
  -- Numbers by name.
  counts jsonb NOT NULL DEFAULT '{}',
  calls integer NOT NULL DEFAULT 0,
  energy_milli bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_micro_usd bigint NOT NULL DEFAULT 0,
  failure_code text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
CREATE INDEX mind_runs_by_kind ON annals.mind_runs (tenant_id, kind, id);
CREATE INDEX mind_runs_by_user ON annals.mind_runs (tenant_id, user_id, id);
CREATE INDEX mind_runs_by_subject ON annals.mind_runs (tenant_id, subject_id, kind, id);

-- What the last runs about a subject saw, and how many failed at it (docs/reference/minds.md#convergence). Written with
-- the end of the work only, so that it does not outlive its subject.
CREATE TABLE annals.mind_watermarks (
  ${TENANT},
  subject_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT mind_watermarks_kind_check CHECK (kind IN (${KINDS})),
  watermark text,
  failures integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, subject_id, kind)
);
`;

/** Subjects that are a user, their conversations or the batches of these: one array, since an index takes no sub-select. */
export const SUBJECT_OF_USER = `t.subject_id = ANY (batch_ids || ARRAY(
          SELECT c.id FROM annals.conversations c WHERE c.tenant_id = own AND c.user_id = of_user
          UNION ALL
          SELECT u.subject_id FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user))`;

export const RUNS: MindPart = {
  tables: [
    TABLES,
    widenCheck('work', 'deferred_reason', ['budget_exceeded', 'provider_unavailable', 'energy', 'not_due']),
    widenCheck('usage', 'operation', OPERATIONS),
    widenCheck('reservations', 'operation', OPERATIONS),
  ].join(';\n'),
  appPrivileges: {
    mind_watermarks: 'SELECT, INSERT, UPDATE',
    mind_runs: 'SELECT, INSERT, UPDATE',
  },
  definerPrivileges: {
    mind_runs: 'SELECT (subject_id, user_id)',
    mind_watermarks: 'SELECT (subject_id)',
  },
  erased: {
    mind_watermarks: SUBJECT_OF_USER,
    mind_runs: `(t.user_id = of_user OR ${SUBJECT_OF_USER})`,
  },
  forgotten: {
    mind_watermarks: WORK_OF_CONVERSATION,
    mind_runs: WORK_OF_CONVERSATION,
  },
};

import { TENANT } from '../sql/tenant-column.sql.js';
import type { RecallPart } from './recall-part.js';

const OPERATIONS = [
  'extraction',
  'embedding',
  'rerank',
  'reconciliation',
  'writing',
  'multi_fact',
  'procedural',
] as const;

const OPERATION_CHECK = `CHECK (operation IN (${OPERATIONS.map((operation) => `'${operation}'`).join(', ')}))`;

const TABLES = /* sql */ `
-- What a model decided about a batch's new statements and the memories beside them: written before it is acted on, so
-- that it is not bought twice (docs/reference/reconciliation.md#decisions-are-stored-then-rechecked). A batch asks
-- again, once, when what it was shown has changed.
CREATE TABLE annals.reconciliations (
  ${TENANT},
  batch_id uuid NOT NULL,
  round smallint NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  prompt_version text NOT NULL,
  -- What was shown: new statements by hash, memories by id and revision.
  shown jsonb NOT NULL,
  answer text NOT NULL,
  -- What of the answer holds; null when it could not be understood, and everything is added.
  decisions jsonb,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id, round),
  FOREIGN KEY (tenant_id, batch_id) REFERENCES annals.batches (tenant_id, id)
);
CREATE INDEX reconciliations_by_user ON annals.reconciliations (tenant_id, user_id);

ALTER TABLE annals.memories
  -- What can have one value at a time, such as where the user lives; null for most memories.
  ADD COLUMN slot text,
  -- What was believed of the end before it was changed; null for nearly all.
  ADD COLUMN former_ends jsonb;
CREATE INDEX memories_by_slot ON annals.memories (tenant_id, user_id, slot) WHERE slot IS NOT NULL;
CREATE INDEX memories_by_successor ON annals.memories (tenant_id, superseded_by) WHERE superseded_by IS NOT NULL;

ALTER TABLE annals.usage
  DROP CONSTRAINT usage_operation_check,
  ADD CONSTRAINT usage_operation_check ${OPERATION_CHECK};
ALTER TABLE annals.reservations
  DROP CONSTRAINT reservations_operation_check,
  ADD CONSTRAINT reservations_operation_check ${OPERATION_CHECK};
`;

export const DECISIONS: RecallPart = {
  tables: TABLES,
  appPrivileges: { reconciliations: 'SELECT, INSERT' },
};

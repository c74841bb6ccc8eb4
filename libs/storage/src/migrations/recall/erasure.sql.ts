import { TENANT } from '../sql/tenant-column.sql.js';
import { ERASURE_FUNCTIONS, ERASURE_PRIVILEGES } from './erasure-functions.sql.js';
import type { RecallPart } from './recall-part.js';

const TABLES = /* sql */ `
-- What concerns a user and no single memory: consent, erasure.
ALTER TABLE annals.history ALTER COLUMN memory_id DROP NOT NULL;

-- That somebody was erased, and how much was. It outlives what it tells of, so no foreign key.
CREATE TABLE annals.erasure_receipts (
  ${TENANT},
  id uuid NOT NULL,
  user_id text NOT NULL,
  erased_at timestamptz NOT NULL,
  counts jsonb NOT NULL,
  chain_seq bigint NOT NULL,
  chain_head bytea NOT NULL,
  signature bytea NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX erasure_receipts_by_link ON annals.erasure_receipts (tenant_id, user_id, chain_seq);

-- Erasing a person looks for their calls and kept answers among all those of their tenant.
CREATE INDEX usage_by_user ON annals.usage (tenant_id, user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX idempotency_keys_by_user ON annals.idempotency_keys (tenant_id, user_id) WHERE user_id IS NOT NULL;
`;

export const ERASURE: RecallPart = {
  tables: TABLES,
  appPrivileges: { erasure_receipts: 'SELECT, INSERT' },
  definerPrivileges: ERASURE_PRIVILEGES,
  functions: ERASURE_FUNCTIONS,
};

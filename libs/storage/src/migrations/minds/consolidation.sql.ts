import { OWN } from '../recall/erasure-functions.sql.js';
import { type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import { TENANT } from '../sql/tenant-column.sql.js';
import type { MindPart } from './mind-part.js';

const TABLES = /* sql */ `
-- Answers of each of the last 30 UTC days that had one, by the number of the day (docs/reference/consolidation.md#retrievals).
ALTER TABLE annals.memory_access ADD COLUMN days jsonb NOT NULL DEFAULT '{}';

-- What a run changed, or would change (docs/reference/consolidation.md#changes-of-a-run). Ids and numbers only.
CREATE TABLE annals.mind_run_changes (
  ${TENANT},
  run_id uuid NOT NULL,
  ordinal integer NOT NULL,
  user_id text NOT NULL,
  change text NOT NULL CONSTRAINT mind_run_changes_change_check CHECK (change IN ('merge', 'link', 'rerank')),
  state text NOT NULL
    CONSTRAINT mind_run_changes_state_check CHECK (state IN ('planned', 'written', 'refused', 'skipped', 'undone', 'left')),
  reason text NOT NULL,
  memory_ids uuid[] NOT NULL,
  revisions_before integer[] NOT NULL,
  -- Of a merge, the memory that took the place of the two.
  result_id uuid,
  -- Of the same memories, and last of the result; null when nothing was written.
  revisions_after integer[],
  -- Of a relation: its strength; of importance: before and after.
  numbers jsonb NOT NULL DEFAULT '{}',
  -- Why an undo left it.
  left_reason text,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, run_id, ordinal),
  FOREIGN KEY (tenant_id, run_id) REFERENCES annals.mind_runs (tenant_id, id)
);
CREATE INDEX mind_run_changes_by_user ON annals.mind_run_changes (tenant_id, user_id, change);

-- Pairs that are decided, and until when that stands (docs/reference/consolidation.md#fingerprints).
CREATE TABLE annals.consolidation_fingerprints (
  ${TENANT},
  user_id text NOT NULL,
  fingerprint text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, fingerprint),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);

-- Pairs of a user that models were asked about on their last day, and tokens of a tenant: drawn before a call, so that a
-- killed run has used them up.
CREATE TABLE annals.consolidation_pairs (
  ${TENANT},
  user_id text NOT NULL,
  day date NOT NULL,
  pairs integer NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
CREATE TABLE annals.consolidation_tokens (
  ${TENANT},
  day date NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (tenant_id),
  FOREIGN KEY (tenant_id) REFERENCES annals.tenants (tenant_id)
);
`;

const OF_USER = 't.user_id = of_user';

/** Relations are only added, but for those that a run made and that its undo takes back: of the session's tenant alone. */
const DELETE_RELATIONS: DefinerFunction = {
  signature: 'delete_relations(from_ids uuid[], to_ids uuid[])',
  body: /* sql */ `
      RETURNS TABLE (from_id uuid, to_id uuid, relation_type text, strength real) LANGUAGE sql VOLATILE AS $$
        DELETE FROM annals.relations r USING unnest(from_ids, to_ids) AS u (from_id, to_id)
         WHERE r.tenant_id = ${OWN} AND r.from_id = u.from_id AND r.to_id = u.to_id
        RETURNING r.from_id, r.to_id, r.relation_type, r.strength
      $$ ${FEW_OF_MANY_ROWS}`,
};

export const CONSOLIDATION: MindPart = {
  tables: TABLES,
  appPrivileges: {
    mind_run_changes: 'SELECT, INSERT, UPDATE',
    consolidation_fingerprints: 'SELECT, INSERT, UPDATE, DELETE',
    consolidation_pairs: 'SELECT, INSERT, UPDATE',
    consolidation_tokens: 'SELECT, INSERT, UPDATE',
  },
  definerPrivileges: {
    mind_run_changes: 'SELECT (user_id)',
    consolidation_fingerprints: 'SELECT (user_id)',
    consolidation_pairs: 'SELECT (user_id)',
    relations: 'SELECT (from_id, to_id, relation_type, strength)',
  },
  functions: [DELETE_RELATIONS],
  erased: {
    mind_run_changes: OF_USER,
    consolidation_fingerprints: OF_USER,
    consolidation_pairs: OF_USER,
  },
};

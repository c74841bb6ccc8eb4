import { CONTEXT_FIELDS, PROPOSAL_STATES } from '@annals/contracts';
import { TENANT } from '../sql/tenant-column.sql.js';
import type { RecallPart } from './recall-part.js';

const wordsOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

export const CONTEXT: RecallPart = {
  tables: /* sql */ `
CREATE TABLE annals.user_contexts (
  ${TENANT},
  user_id text NOT NULL,
  -- Names the context in the audit history.
  id uuid NOT NULL,
  revision integer NOT NULL,
  -- By field: value, since when the person said so, and what made it known.
  fields jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);

CREATE TABLE annals.context_proposals (
  ${TENANT},
  id uuid NOT NULL,
  user_id text NOT NULL,
  field text NOT NULL CHECK (field IN (${wordsOf(CONTEXT_FIELDS)})),
  -- Null: the field is to be cleared.
  value text,
  -- Under which two wordings of a value are one.
  value_key text NOT NULL,
  state text NOT NULL CHECK (state IN (${wordsOf(PROPOSAL_STATES)})),
  message_ids uuid[] NOT NULL,
  said_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
CREATE INDEX context_proposals_by_user ON annals.context_proposals (tenant_id, user_id, id DESC);
CREATE UNIQUE INDEX context_proposals_one_pending ON annals.context_proposals (tenant_id, user_id, field, value_key)
  WHERE state = 'pending';
CREATE INDEX context_proposals_by_expiry ON annals.context_proposals (expires_at) WHERE state = 'pending';
`,
  appPrivileges: {
    context_proposals: 'SELECT, INSERT, UPDATE',
    user_contexts: 'SELECT, INSERT, UPDATE',
  },
  definerPrivileges: { context_proposals: 'SELECT (user_id, state, expires_at)' },
  functions: [
    {
      signature: 'find_expired_proposals(at timestamptz, most integer)',
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, user_id text) LANGUAGE sql STABLE AS $$
          SELECT DISTINCT p.tenant_id, p.user_id FROM (
            SELECT o.tenant_id, o.user_id FROM annals.context_proposals o
             WHERE o.state = 'pending' AND o.expires_at <= at ORDER BY o.expires_at LIMIT most) p
        $$`,
    },
  ],
};

import { OWN } from '../recall/erasure-functions.sql.js';
import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';

export const ECHO_COLUMNS_SQL = /* sql */ `
-- The memories that a turn repeats without being a source of them, as far as these have ended or were deleted. Says
-- nothing about whether they still are: that is read from the memories.
ALTER TABLE annals.messages ADD COLUMN echo_of uuid[];
GRANT UPDATE (echo_of) ON annals.messages TO annals_app;
CREATE INDEX messages_with_echoes ON annals.messages (tenant_id, conversation_id) WHERE echo_of IS NOT NULL;

-- What new turns are compared with.
CREATE INDEX memories_over ON annals.memories (tenant_id, user_id, updated_at DESC)
  WHERE valid_to IS NOT NULL OR deleted_at IS NOT NULL;
`;

const HIDE_ECHOES: DefinerFunction = {
  // Before a purge: afterwards nothing tells any more whose echoes they were. The conditions are those by which a query
  // leaves them out until then.
  signature: 'hide_echoes(ids uuid[], at timestamptz)',
  body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
      BEGIN
        UPDATE annals.messages t SET hidden_at = at
          FROM annals.memories d JOIN annals.conversations c ON c.tenant_id = d.tenant_id AND c.user_id = d.user_id
         WHERE d.tenant_id = own AND d.id = ANY (ids) AND d.state = 'soft_deleted' AND d.purge_at <= at
           AND d.quarantine_reason IS NULL AND d.deleted_by IN ('user', 'undo')
           AND t.tenant_id = own AND t.conversation_id = c.id AND t.hidden_at IS NULL
           AND t.echo_of IS NOT NULL AND d.id = ANY (t.echo_of)
           AND (d.deleted_by = 'user' OR NOT EXISTS (
                 SELECT FROM annals.memory_sources o
                   JOIN annals.memories k ON k.tenant_id = o.tenant_id AND k.id = o.memory_id
                  WHERE o.tenant_id = own AND o.message_id = t.id AND k.state = 'active'))
           AND (t.said_at <= d.deleted_at OR t.role = 'assistant' AND NOT EXISTS (
                 SELECT FROM annals.memories k
                  WHERE k.tenant_id = own AND k.user_id = d.user_id AND k.normalized_hash = d.normalized_hash
                    AND k.state = 'active'));
      END $$ ${FEW_OF_MANY_ROWS}`,
};

export const ECHO_FUNCTIONS_SQL = createFunctions([HIDE_ECHOES]);

/** What the function reads beyond what earlier ones did. */
export const ECHO_PRIVILEGES: Readonly<Record<string, string>> = {
  messages: 'SELECT (conversation_id, role, said_at, echo_of)',
  memories: 'SELECT (normalized_hash, quarantine_reason, deleted_at)',
};

import { OWN } from '../recall/erasure-functions.sql.js';
import { createFunctions, type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';

const FUNCTIONS: readonly DefinerFunction[] = [
  {
    // Messages lose words, and what quotes them with them: `cuts` has the rest of each message, `quotes` the words that a
    // memory still quotes of it, null when it is no source any more. Models' answers about them are deleted, and what the
    // batches that are under way have read. Of the session's tenant alone.
    signature: 'cut_messages(cuts jsonb, quotes jsonb, gone uuid[], at timestamptz)',
    body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
        message_ids uuid[] := ARRAY (SELECT (c ->> 'id')::uuid FROM jsonb_array_elements(cuts) c);
        batch_ids uuid[];
      BEGIN
        UPDATE annals.messages t
           SET content = r.content, forgotten_at = at, expires_at = NULL,
               hidden_at = CASE WHEN r.content = '' THEN coalesce(t.hidden_at, at) ELSE t.hidden_at END,
               echo_of = CASE WHEN t.echo_of && gone
                              THEN nullif(ARRAY (SELECT e FROM unnest(t.echo_of) e WHERE NOT e = ANY (gone)), '{}')
                              ELSE t.echo_of END
          FROM jsonb_to_recordset(cuts) AS r (id uuid, content text)
         WHERE t.tenant_id = own AND t.id = r.id AND t.id = ANY (message_ids);
        DELETE FROM annals.memory_sources t
         WHERE t.tenant_id = own AND t.memory_id = ANY (gone)
           -- A purge hides what such a memory is based on; of these the rest is to stay.
           AND EXISTS (SELECT FROM annals.messages m
                        WHERE m.tenant_id = own AND m.id = t.message_id AND m.forgotten_at IS NOT NULL);
        DELETE FROM annals.memory_sources t
         USING jsonb_to_recordset(quotes) AS r (memory_id uuid, message_id uuid, quote text)
         WHERE t.tenant_id = own AND t.memory_id = r.memory_id AND t.message_id = r.message_id
           AND t.message_id = ANY (message_ids) AND r.quote IS NULL;
        UPDATE annals.memory_sources t SET quote = r.quote
          FROM jsonb_to_recordset(quotes) AS r (memory_id uuid, message_id uuid, quote text)
         WHERE t.tenant_id = own AND t.memory_id = r.memory_id AND t.message_id = r.message_id
           AND t.message_id = ANY (message_ids) AND r.quote IS NOT NULL;
        -- Of their whole conversations, since a batch is read with the messages before it.
        SELECT coalesce(array_agg(b.id), '{}') INTO batch_ids FROM annals.batches b
         WHERE b.tenant_id = own AND b.conversation_id IN (
           SELECT m.conversation_id FROM annals.messages m WHERE m.tenant_id = own AND m.id = ANY (message_ids));
        UPDATE annals.extractions x SET answer = NULL, items = '[]', diagnostics = NULL
         WHERE x.tenant_id = own AND x.batch_id = ANY (batch_ids)
           AND EXISTS (SELECT FROM annals.batches b
                        WHERE b.tenant_id = own AND b.id = x.batch_id AND b.state = 'done');
        DELETE FROM annals.extractions x
         WHERE x.tenant_id = own AND x.batch_id = ANY (batch_ids)
           AND EXISTS (SELECT FROM annals.batches b
                        WHERE b.tenant_id = own AND b.id = x.batch_id AND b.state <> 'done');
        DELETE FROM annals.call_answers x WHERE x.tenant_id = own AND x.batch_id = ANY (batch_ids);
        DELETE FROM annals.reconciliations x WHERE x.tenant_id = own AND x.batch_id = ANY (batch_ids);
        IF current_setting('annals.embedded', true) = 'on' THEN
          INSERT INTO annals.file_scrubs (id) VALUES (gen_random_uuid());
        END IF;
      END $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // Proposals for a user's context, and what the history says of values of it.
    signature: 'forget_consent(of_user text, proposal_ids uuid[], seqs bigint[])',
    body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
      BEGIN
        DELETE FROM annals.context_proposals t
         WHERE t.tenant_id = own AND t.user_id = of_user AND t.id = ANY (proposal_ids);
        UPDATE annals.history t SET content = NULL, salt = NULL
         WHERE t.tenant_id = own AND t.user_id = of_user AND t.event = 'CONSENT'
           AND (t.seq = ANY (seqs) OR t.new_ref = ANY (proposal_ids));
      END $$`,
  },
  {
    // A memory or a message each, those due longest first.
    signature: `find_short_lived(at timestamptz, after_at timestamptz, after_tenant uuid, after_id uuid,
                                 max_rows integer)`,
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, user_id text, id uuid, is_message boolean, expires_at timestamptz)
      LANGUAGE sql STABLE AS $$
        SELECT d.tenant_id, d.user_id, d.id, d.is_message, d.expires_at FROM (
          (SELECT m.tenant_id, m.user_id, m.id, false AS is_message, m.expires_at FROM annals.memories m
            WHERE m.expires_at <= at AND m.expires_at >= after_at AND NOT m.pinned
              AND (m.expires_at, m.tenant_id, m.id) > (after_at, after_tenant, after_id)
            ORDER BY m.expires_at, m.tenant_id, m.id LIMIT max_rows)
          UNION ALL
          (SELECT g.tenant_id, c.user_id, g.id, true, g.expires_at
             FROM annals.messages g
             JOIN annals.conversations c ON c.tenant_id = g.tenant_id AND c.id = g.conversation_id
            WHERE g.expires_at <= at AND g.expires_at >= after_at
              AND (g.expires_at, g.tenant_id, g.id) > (after_at, after_tenant, after_id)
            ORDER BY g.expires_at, g.tenant_id, g.id LIMIT max_rows)) d
         ORDER BY d.expires_at, d.tenant_id, d.id LIMIT max_rows
      $$ ${FEW_OF_MANY_ROWS}`,
  },
];

export const FORGETTING_FUNCTIONS_SQL = createFunctions(FUNCTIONS);

/** What the functions read and change beyond what earlier ones did. */
export const FORGETTING_PRIVILEGES: Readonly<Record<string, string>> = {
  messages:
    'SELECT (hidden_at, content, forgotten_at, expires_at), UPDATE (content, forgotten_at, expires_at, hidden_at, echo_of)',
  memory_sources: 'SELECT (memory_id), UPDATE (quote)',
  memories: 'SELECT (expires_at, pinned)',
  batches: 'SELECT (state)',
  extractions: 'UPDATE (diagnostics)',
  history: 'SELECT (seq)',
};

import { MAX_DELTAS, MIN_DELTA_BYTES } from '@annals/domain';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  FEW_OF_MANY_ROWS,
  deletedBehindWork,
  dropFunctions,
  qualifiedName,
} from '../sql/definer-functions.sql.js';
import { TENANT } from '../sql/tenant-column.sql.js';
import { LOCK_LANGGRAPH_OF_TENANT } from './functions.sql.js';
import { DELETED_WITH_TENANT as DELETED_BEFORE } from './store-functions.sql.js';

/** Tables of this migration whose rows belong to a tenant. */
export const LANGGRAPH_LOGIN_TABLES: readonly string[] = ['langgraph_logins'];

export const LANGGRAPH_LOGINS_SQL = /* sql */ `
-- Logins of PostgreSQL that may save checkpoints of one tenant (docs/reference/langgraph.md#saving-directly).
CREATE TABLE annals.langgraph_logins (
  ${TENANT},
  login text NOT NULL,
  -- Of a state.
  max_bytes integer NOT NULL CONSTRAINT langgraph_logins_max_bytes CHECK (max_bytes > 0),
  added_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, login),
  CONSTRAINT langgraph_logins_login UNIQUE (login)
);
`;

export const LANGGRAPH_LOGIN_PRIVILEGES = { langgraph_logins: 'SELECT' } as const;

/** What saving needs beyond what the definer could do with these tables before. */
export const SAVING_PRIVILEGES = {
  langgraph_logins: 'SELECT, INSERT, UPDATE (max_bytes)',
  langgraph_threads: 'SELECT (thread_id)',
  langgraph_namespaces:
    'SELECT (checkpoint_ns, whole_seq, whole_bytes, delta_bytes, bytes), UPDATE (seq, whole_seq, whole_bytes, delta_bytes, bytes)',
  langgraph_checkpoints: 'SELECT (checkpoint_id), INSERT',
  langgraph_writes: 'SELECT, INSERT, UPDATE (task_path, channel, type, body)',
} as const;

const CHECKPOINTS_OF_BATCH = /* sql */ `
  ROWS FROM (json_to_recordset(checkpoints) AS (
    thread_id text, checkpoint_ns text, user_id text, base_key uuid, base_seq integer, base_bytes integer,
    is_whole boolean, bytes integer, checkpoint_id text, parent_id text, metadata jsonb, replayed_channels text[],
    body text)) WITH ORDINALITY`;

// Rows are found one by one, by keys: a plan that was made for a few threads would read those of a million.
// A checkpoint is saved if its base is the last state, and a delta if reading does not take too long with it; the conditions
// are those of shouldStoreSnapshot. Who deletes a namespace waits for the lock on it, as do further checkpoints of it. They
// are taken in one order, and writes do not wait for checkpoints, so that two batches do not wait for each other.
const SAVE_CHECKPOINTS = /* sql */ `
  WITH input AS MATERIALIZED (
    SELECT g.*, decode(g.body, 'base64') AS stored_body FROM ${CHECKPOINTS_OF_BATCH} AS g
  ), locked AS (
    SELECT l.namespace_key, g.ordinality FROM (SELECT * FROM input ORDER BY base_key, ordinality) g
     CROSS JOIN LATERAL (
       SELECT n.namespace_key FROM annals.langgraph_namespaces n
        WHERE n.tenant_id = own AND n.namespace_key = g.base_key AND n.checkpoint_ns = g.checkpoint_ns
          AND (SELECT t.thread_id = g.thread_id AND (of_user IS NULL OR t.user_id = of_user)
                      AND (g.user_id IS NULL OR t.user_id = g.user_id)
                 FROM annals.langgraph_threads t WHERE t.tenant_id = own AND t.thread_key = n.thread_key)
          FOR NO KEY UPDATE) l
  ), head AS (
    UPDATE annals.langgraph_namespaces n
       SET seq = n.seq + 1, bytes = g.bytes, updated_at = at,
           whole_seq = CASE WHEN g.is_whole THEN n.seq + 1 ELSE n.whole_seq END,
           whole_bytes = CASE WHEN g.is_whole THEN octet_length(g.stored_body) ELSE n.whole_bytes END,
           delta_bytes = CASE WHEN g.is_whole THEN 0 ELSE n.delta_bytes + octet_length(g.stored_body) END
      FROM (SELECT DISTINCT ON (l.namespace_key) l.namespace_key AS locked_key, i.* FROM locked l JOIN input i USING (ordinality)
             ORDER BY l.namespace_key, l.ordinality) g
     WHERE n.tenant_id = own AND n.namespace_key = g.locked_key AND n.seq = g.base_seq AND n.bytes = g.base_bytes
       AND (g.is_whole OR n.seq - n.whole_seq < ${MAX_DELTAS}
            AND n.delta_bytes + octet_length(g.stored_body) <= greatest(n.whole_bytes, ${MIN_DELTA_BYTES}))
       AND (SELECT c.seq FROM annals.langgraph_checkpoints c
             WHERE c.tenant_id = own AND c.namespace_key = n.namespace_key AND c.checkpoint_id = g.checkpoint_id) IS NULL
    RETURNING g.ordinality, n.namespace_key, n.seq, n.whole_seq, n.whole_bytes, n.delta_bytes, n.bytes
  ), stored AS (
    INSERT INTO annals.langgraph_checkpoints (tenant_id, namespace_key, seq, whole_seq, checkpoint_id, parent_id, metadata,
                                              replayed_channels, bytes, body, saved_at)
    SELECT own, h.namespace_key, h.seq, h.whole_seq, g.checkpoint_id, g.parent_id, g.metadata,
           nullif(g.replayed_channels, '{}'), g.bytes, g.stored_body, at
      FROM head h JOIN input g USING (ordinality)
  )
  SELECT json_agg(CASE WHEN h.namespace_key IS NOT NULL THEN json_build_object(
           'version', h.namespace_key || '.' || h.seq || '.' || h.bytes,
           'takes_delta', h.seq - h.whole_seq < ${MAX_DELTAS} AND h.delta_bytes <= greatest(h.whole_bytes, ${MIN_DELTA_BYTES})) END
           ORDER BY g.ordinality)
    INTO saved FROM input g LEFT JOIN head h USING (ordinality)`;

// Of several under one index the last one of a task counts; a negative one replaces what was saved before, another does not.
const SAVE_WRITES = /* sql */ `
  WITH tasks AS MATERIALIZED (
    SELECT g.* FROM ROWS FROM (json_to_recordset(writes) AS (
             thread_id text, checkpoint_ns text, user_id text, checkpoint_id text, task_id text, task_path text,
             writes json)) WITH ORDINALITY AS g
  ), named AS (
    SELECT g.*, (
        SELECT n.namespace_key FROM annals.langgraph_namespaces n
         WHERE n.tenant_id = own AND n.checkpoint_ns = g.checkpoint_ns
           AND n.thread_key = (
             SELECT t.thread_key FROM annals.langgraph_threads t
              WHERE t.tenant_id = own AND t.thread_id = g.thread_id AND (of_user IS NULL OR t.user_id = of_user)
                AND (g.user_id IS NULL OR t.user_id = g.user_id))) AS namespace_key
      FROM (SELECT DISTINCT k.thread_id, k.checkpoint_ns, k.user_id FROM tasks k) g
  ), held AS (
    SELECT g.* FROM (SELECT * FROM named ORDER BY namespace_key) g
     CROSS JOIN LATERAL (
       SELECT FROM annals.langgraph_namespaces n WHERE n.tenant_id = own AND n.namespace_key = g.namespace_key
          FOR KEY SHARE) l
  ), fitting AS (
    SELECT h.namespace_key, k.* FROM tasks k
      JOIN held h ON h.thread_id = k.thread_id AND h.checkpoint_ns = k.checkpoint_ns
       AND h.user_id IS NOT DISTINCT FROM k.user_id
  ), written AS (
    INSERT INTO annals.langgraph_writes AS w (tenant_id, namespace_key, checkpoint_id, task_id, task_path, idx, channel,
                                              type, body)
    SELECT DISTINCT ON (f.namespace_key, f.checkpoint_id, f.task_id, v.idx)
           own, f.namespace_key, f.checkpoint_id, f.task_id, f.task_path, v.idx, v.channel, v.type,
           decode(v.body, 'base64')
      FROM fitting f CROSS JOIN LATERAL ROWS FROM (json_to_recordset(f.writes) AS (
             idx integer, channel text, type text, body text)) WITH ORDINALITY AS v
     ORDER BY f.namespace_key, f.checkpoint_id, f.task_id, v.idx,
              CASE WHEN v.idx < 0 THEN -f.ordinality ELSE f.ordinality END, v.ordinality DESC
    ON CONFLICT (tenant_id, namespace_key, checkpoint_id, task_id, idx) DO UPDATE
       SET channel = excluded.channel, type = excluded.type, body = excluded.body, task_path = excluded.task_path
     WHERE excluded.idx < 0
  )
  SELECT json_agg(EXISTS (SELECT FROM fitting f WHERE f.ordinality = k.ordinality) ORDER BY k.ordinality)
    INTO written FROM tasks k`;

/** Runs with the rights of who calls it: of services, within their tenant, or of `save_langgraph`. */
const SAVE_BATCH: DefinerFunction = {
  signature: 'save_langgraph_batch(own uuid, of_user text, checkpoints json, writes json, at timestamptz)',
  body: /* sql */ `
    RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      saved json := '[]';
      written json := '[]';
    BEGIN
      IF json_array_length(checkpoints) > 0 THEN ${SAVE_CHECKPOINTS}; END IF;
      IF json_array_length(writes) > 0 THEN ${SAVE_WRITES}; END IF;
      RETURN json_build_object('checkpoints', saved, 'writes', written);
    END $$ ${FEW_OF_MANY_ROWS}`,
};

// The limits of the routes (libs/contracts/src/http/langgraph.ts): what is beyond them could be saved and never be read.
const isMadeId = (id: string) => `length(${id}) BETWEEN 1 AND 200 AND ${id} NOT IN ('.', '..')`;
const MOST_AT_ONCE = 100;
/** What a delta has at most beside the bytes that it inserts: a thousand runs, each with two numbers. */
const MOST_RUN_BYTES = 16_384;
/** How many bytes a body in base64 is without compression (packages/state-delta/src/body.ts); null for what tells nothing. */
const unpackedBytes = (body: string) => `(
  SELECT CASE get_byte(d.bytes, 0) WHEN 0 THEN octet_length(d.bytes)::bigint - 1
                                   WHEN 2 THEN ('x' || encode(substr(d.bytes, 2, 4), 'hex'))::bit(32)::bigint END
    FROM (SELECT decode(${body}, 'base64') AS bytes) d)`;
const MOST_NAMES = 1_000;
const LONGEST_NAME = 500;
const LONGEST_PATH = 1_000;

/** For logins of one tenant. It trusts them with nothing but the content of that tenant's threads. */
const SAVE: DefinerFunction = {
  signature: 'save_langgraph(batch json)',
  body: /* sql */ `
    RETURNS json LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      own uuid;
      most bigint;
      checkpoints json := coalesce(batch -> 'checkpoints', '[]');
      writes json := coalesce(batch -> 'writes', '[]');
    BEGIN
      SELECT l.tenant_id, l.max_bytes INTO own, most FROM annals.langgraph_logins l WHERE l.login = session_user;
      IF own IS NULL THEN
        RAISE EXCEPTION 'The login % may not save checkpoints.', session_user
          USING ERRCODE = 'insufficient_privilege', HINT = 'Add it with annals.add_langgraph_login.';
      END IF;
      IF json_array_length(checkpoints) > ${MOST_AT_ONCE} OR json_array_length(writes) > ${MOST_AT_ONCE}
        OR EXISTS (SELECT FROM ${CHECKPOINTS_OF_BATCH} AS g WHERE (
             g.bytes BETWEEN 0 AND most
             AND CASE WHEN g.is_whole THEN ${unpackedBytes('g.body')} = g.bytes
                      WHEN NOT g.is_whole THEN ${unpackedBytes('g.body')} <= g.bytes + ${MOST_RUN_BYTES} END
             AND ${isMadeId('g.checkpoint_id')} AND (g.parent_id IS NULL OR length(g.parent_id) BETWEEN 1 AND 200)
             AND jsonb_typeof(g.metadata) = 'object' AND pg_column_size(g.metadata) <= most
             AND cardinality(g.replayed_channels) <= ${MOST_NAMES}
             AND NOT EXISTS (SELECT FROM unnest(g.replayed_channels) AS name
                              WHERE (length(name) BETWEEN 1 AND ${LONGEST_NAME}) IS NOT TRUE)) IS NOT TRUE)
        OR EXISTS (SELECT FROM json_to_recordset(writes) AS k (checkpoint_id text, task_id text, task_path text, writes json)
                    WHERE (${isMadeId('k.checkpoint_id')} AND ${isMadeId('k.task_id')}
                      AND length(k.task_path) <= ${LONGEST_PATH} AND json_array_length(k.writes) <= ${MOST_NAMES}
                      AND (SELECT coalesce(bool_and(coalesce(
                                    w.idx BETWEEN -1000 AND 1000000 AND length(w.channel) BETWEEN 1 AND ${LONGEST_NAME}
                                    AND length(w.type) BETWEEN 1 AND ${LONGEST_NAME}
                                    AND u.bytes BETWEEN 0 AND most, false)), true)
                                  AND coalesce(sum(u.bytes), 0) <= most
                             FROM json_to_recordset(k.writes) AS w (idx integer, channel text, type text, body text)
                            CROSS JOIN LATERAL (SELECT ${unpackedBytes('w.body')} AS bytes) u)) IS NOT TRUE)
      THEN
        RAISE EXCEPTION 'A checkpoint or a write is beyond a limit of this login: nothing was saved.'
          USING ERRCODE = 'invalid_parameter_value', HINT = 'docs/reference/langgraph.md#saving-directly';
      END IF;
      RETURN annals.save_langgraph_batch(own, NULL, checkpoints, writes, clock_timestamp());
    END $$`,
};

/** For operators alone. Throws for a tenant or a login that does not exist, and for a login of another tenant. */
const ADD_LOGIN: DefinerFunction = {
  signature: 'add_langgraph_login(of_login text, of_tenant text, most_bytes integer DEFAULT 1000000)',
  body: /* sql */ `
    RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      named uuid;
    BEGIN
      SELECT t.tenant_id INTO named FROM annals.tenants t WHERE t.name = of_tenant FOR KEY SHARE;
      IF named IS NULL THEN
        RAISE EXCEPTION 'There is no tenant named %.', of_tenant USING ERRCODE = 'invalid_parameter_value';
      END IF;
      INSERT INTO annals.langgraph_logins AS l (tenant_id, login, max_bytes, added_at)
      VALUES (named, of_login, most_bytes, clock_timestamp())
      ON CONFLICT (login) DO UPDATE SET max_bytes = excluded.max_bytes WHERE l.tenant_id = named;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'The login % saves for another tenant.', of_login
          USING ERRCODE = 'invalid_parameter_value', HINT = 'Call annals.remove_langgraph_login first.';
      END IF;
      EXECUTE format('GRANT EXECUTE ON FUNCTION annals.save_langgraph(json) TO %I', of_login);
      RETURN named;
    END $$`,
};

/** Whether it was there. */
const REMOVE_LOGIN: DefinerFunction = {
  signature: 'remove_langgraph_login(of_login text)',
  body: /* sql */ `
    RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      was_there boolean;
    BEGIN
      DELETE FROM annals.langgraph_logins l WHERE l.login = of_login;
      was_there := FOUND;
      IF to_regrole(quote_ident(of_login)) IS NOT NULL THEN
        EXECUTE format('REVOKE EXECUTE ON FUNCTION annals.save_langgraph(json) FROM %I', of_login);
      END IF;
      RETURN was_there;
    END $$`,
};

/** Not for services: logins that were added call the first one, operators the others. */
const FOR_OPERATORS = [SAVE, ADD_LOGIN, REMOVE_LOGIN];

/** The tables of a tenant in the order of deletion. */
export const DELETED_WITH_TENANT = deletedBehindWork(LANGGRAPH_LOGIN_TABLES, DELETED_BEFORE);

const DELETE_TENANT = deleteTenantFunction(DELETED_WITH_TENANT, LOCK_LANGGRAPH_OF_TENANT);

export const LANGGRAPH_LOGIN_FUNCTIONS_SQL = [
  dropFunctions([DELETE_TENANT]),
  createFunctions([DELETE_TENANT, SAVE_BATCH, ...FOR_OPERATORS]),
  `ALTER FUNCTION ${qualifiedName(SAVE_BATCH)} SECURITY INVOKER`,
  ...FOR_OPERATORS.map((each) => `REVOKE ALL ON FUNCTION ${qualifiedName(each)} FROM annals_app`),
].join(';\n');

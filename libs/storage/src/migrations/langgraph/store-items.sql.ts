import type { MindPart } from '../minds/mind-part.js';
import { FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';
import { TENANT } from '../sql/tenant-column.sql.js';

const TABLES = /* sql */ `
-- Items of LangGraph's store (docs/reference/langgraph-store.md). One that names no user belongs to a user of its own.
CREATE TABLE annals.langgraph_items (
  ${TENANT},
  item_id uuid NOT NULL,
  user_id text NOT NULL,
  -- The labels of the namespace, each with a period behind it: all that begin with the same labels are one range of
  -- texts, which an index can look up under a policy, as it cannot for arrays.
  path text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  namespace text[] NOT NULL,
  value jsonb NOT NULL,
  -- Of the value as text: to add up what an answer has without reading it.
  value_bytes integer NOT NULL,
  -- What the value says, for search by words.
  words tsvector NOT NULL,
  -- Null: it does not expire.
  ttl_minutes double precision,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (tenant_id, item_id),
  CONSTRAINT langgraph_items_place UNIQUE (tenant_id, user_id, path, key),
  CONSTRAINT langgraph_items_tenant_id_user_id_fkey
    FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
);
CREATE INDEX langgraph_items_by_expiry ON annals.langgraph_items (expires_at) WHERE expires_at IS NOT NULL;

-- Vectors of the texts of an item that its writer had indexed, at unit length.
CREATE TABLE annals.langgraph_item_vectors (
  ${TENANT},
  item_id uuid NOT NULL,
  model text NOT NULL,
  ordinal integer NOT NULL,
  user_id text NOT NULL,
  vector halfvec NOT NULL,
  PRIMARY KEY (tenant_id, item_id, model, ordinal),
  CONSTRAINT langgraph_item_vectors_tenant_id_item_id_fkey
    FOREIGN KEY (tenant_id, item_id) REFERENCES annals.langgraph_items (tenant_id, item_id) ON DELETE CASCADE
);
-- As vectors of memories: out of line storage makes exact scans slower.
ALTER TABLE annals.langgraph_item_vectors ALTER COLUMN vector SET STORAGE PLAIN;
CREATE INDEX langgraph_item_vectors_by_user ON annals.langgraph_item_vectors (tenant_id, user_id);

-- What the vectors were made of, or could not be: the texts as the model got them, redacted. Apart from the vectors, whose
-- scans read every page, and from the items, so that an item is read without them.
CREATE TABLE annals.langgraph_item_texts (
  ${TENANT},
  item_id uuid NOT NULL,
  ordinal integer NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (tenant_id, item_id, ordinal),
  CONSTRAINT langgraph_item_texts_tenant_id_item_id_fkey
    FOREIGN KEY (tenant_id, item_id) REFERENCES annals.langgraph_items (tenant_id, item_id) ON DELETE CASCADE
);
`;

export const LANGGRAPH_STORE: MindPart = {
  tables: TABLES,
  appPrivileges: {
    langgraph_item_texts: 'SELECT, INSERT, DELETE',
    langgraph_item_vectors: 'SELECT, INSERT, DELETE',
    langgraph_items: 'SELECT, INSERT, UPDATE, DELETE',
  },
  definerPrivileges: {
    langgraph_item_texts: 'SELECT (item_id, ordinal)',
    langgraph_item_vectors: 'SELECT (item_id, model, ordinal, user_id)',
    // A row is locked by who may update a column.
    langgraph_items: 'SELECT (item_id, user_id, expires_at), UPDATE (expires_at)',
  },
  erased: {
    langgraph_item_texts: `t.item_id IN (SELECT i.item_id FROM annals.langgraph_items i
                                          WHERE i.tenant_id = own AND i.user_id = of_user)`,
    langgraph_item_vectors: 't.user_id = of_user',
    langgraph_items: 't.user_id = of_user',
  },
  functions: [
    {
      // As purge_fingerprints: how many went, passing by what somebody is writing. Their vectors go with them.
      signature: 'purge_langgraph_items(at timestamptz, max_rows integer)',
      body: /* sql */ `
        RETURNS integer LANGUAGE sql VOLATILE AS $$
          WITH old AS MATERIALIZED (
            SELECT i.tenant_id, i.item_id FROM annals.langgraph_items i
             WHERE i.expires_at <= at ORDER BY i.expires_at LIMIT max_rows FOR UPDATE SKIP LOCKED),
          gone AS (
            DELETE FROM annals.langgraph_items i USING old o
             WHERE i.tenant_id = o.tenant_id AND i.item_id = o.item_id RETURNING 1)
          SELECT count(*)::integer FROM gone
        $$ ${FEW_OF_MANY_ROWS}`,
    },
    {
      // As find_without_vector: the row without a user says how far that was.
      signature: `find_langgraph_items_without_vector(of_model text, at timestamptz, after_tenant uuid, after_item uuid,
                                                      after_ordinal integer, scan integer)`,
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, item_id uuid, ordinal integer, user_id text) LANGUAGE sql STABLE AS $$
          WITH scanned AS MATERIALIZED (
            SELECT t.tenant_id, t.item_id, t.ordinal FROM annals.langgraph_item_texts t
             WHERE (t.tenant_id, t.item_id, t.ordinal) > (after_tenant, after_item, after_ordinal)
             ORDER BY t.tenant_id, t.item_id, t.ordinal LIMIT scan)
          SELECT i.tenant_id, i.item_id, NULL::integer, i.user_id
            FROM (SELECT DISTINCT s.tenant_id, s.item_id FROM scanned s
                   WHERE NOT EXISTS (SELECT FROM annals.langgraph_item_vectors v
                                      WHERE v.tenant_id = s.tenant_id AND v.item_id = s.item_id AND v.model = of_model
                                        AND v.ordinal = s.ordinal)) d
            JOIN annals.langgraph_items i ON i.tenant_id = d.tenant_id AND i.item_id = d.item_id
           WHERE i.expires_at IS NULL OR i.expires_at > at
          UNION ALL
          (SELECT s.tenant_id, s.item_id, s.ordinal, NULL FROM scanned s
            ORDER BY s.tenant_id DESC, s.item_id DESC, s.ordinal DESC LIMIT 1)
        $$ ${FEW_OF_MANY_ROWS}`,
    },
  ],
};

import { TENANT } from '../sql/tenant-column.sql.js';
import type { RecallPart } from './recall-part.js';

export const CHECKPOINTS: RecallPart = {
  tables: /* sql */ `
-- One row for each thread, in whose lock its versions are written
-- (docs/reference/checkpoints.md#versions-of-a-checkpoint).
CREATE TABLE annals.checkpoints (
  ${TENANT},
  user_id text NOT NULL,
  thread_id text NOT NULL,
  -- The newest version. It goes on counting when the state is deleted, so that nobody takes a later one for theirs.
  version integer NOT NULL,
  -- The oldest version that is served; above the newest when the state was deleted.
  oldest_version integer NOT NULL,
  -- The last version that is stored whole, how long it is as stored, and how much was stored behind it.
  whole_version integer NOT NULL,
  whole_bytes integer NOT NULL,
  delta_bytes integer NOT NULL,
  -- Of the newest state, as JSON.
  bytes integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, thread_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES annals.users (tenant_id, user_id)
-- No index holds what a save changes, and there is room on the page: its row is written again in place (HOT).
) WITH (fillfactor = 70);

-- Whole states and, behind each, what the next versions change of it. No foreign key: whoever writes or deletes a version
-- holds the lock of its checkpoint.
CREATE TABLE annals.checkpoint_versions (
  ${TENANT},
  user_id text NOT NULL,
  thread_id text NOT NULL,
  version integer NOT NULL,
  -- The whole state that it stands on; its own number when it is whole itself.
  whole_version integer NOT NULL,
  body bytea NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id, thread_id, version)
);
-- Compressed before it comes here.
ALTER TABLE annals.checkpoint_versions ALTER COLUMN body SET STORAGE EXTERNAL;
`,
  // The checkpoint goes first, unlike everywhere else: it waits for who is saving and keeps out who begins, so that no
  // version is written behind the deletion of versions.
  appPrivileges: {
    checkpoints: 'SELECT, INSERT, UPDATE',
    checkpoint_versions: 'SELECT, INSERT, UPDATE, DELETE',
  },
  definerPrivileges: {
    checkpoints: 'SELECT (user_id, thread_id, version)',
    checkpoint_versions: 'SELECT (user_id, thread_id, version, saved_at)',
  },
  functions: [
    {
      // A window of the checkpoints behind the given one, and which of them keep a version that is too old.
      signature:
        'look_for_old_versions(before timestamptz, after_tenant uuid, after_user text, after_thread text, most integer)',
      body: /* sql */ `
        RETURNS TABLE (tenant_id uuid, user_id text, thread_id text, is_due boolean) LANGUAGE sql STABLE AS $$
          SELECT c.tenant_id, c.user_id, c.thread_id,
                 coalesce((SELECT v.saved_at < before FROM annals.checkpoint_versions v
                            WHERE v.tenant_id = c.tenant_id AND v.user_id = c.user_id AND v.thread_id = c.thread_id
                              AND v.version < c.version
                            ORDER BY v.version LIMIT 1), false)
            FROM annals.checkpoints c
           WHERE (c.tenant_id, c.user_id, c.thread_id) > (after_tenant, after_user, after_thread)
           ORDER BY c.tenant_id, c.user_id, c.thread_id LIMIT most
        $$`,
    },
  ],
};

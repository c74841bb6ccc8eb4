import { APP_TENANT_TABLES, FORGOTTEN_WITH_APPS } from '../apps/functions.sql.js';
import { DELETED_BEHIND_WORK } from '../minds/functions.sql.js';
import { forgetConversationFunction, OWN } from '../recall/erasure-functions.sql.js';
import { PRESERVE_AND_LOCK } from '../recall/functions.sql.js';
import {
  createFunctions,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
} from '../sql/definer-functions.sql.js';

/** One export numbers at a time ("ANDL" in ASCII). */
const NUMBERING_LOCK = 0x414e444c;
/** What is replayed is in the list already: it is stored with its own id and place instead. */
const IS_REPLAYED = `current_setting('annals.replays_deletions', true) = 'on'`;

const note = (tenant: string, kind: string, subject: string, at: string, id = 'gen_random_uuid()') => /* sql */ `
        IF NOT coalesce(${IS_REPLAYED}, false) THEN
          INSERT INTO annals.deletions (id, of_tenant, kind, subject, deleted_at)
          VALUES (${id}, ${tenant}, ${kind}, ${subject}, ${at});
        END IF;`;

const trigger = (name: string, body: string): DefinerFunction => ({
  signature: `${name}()`,
  body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN${body}
        RETURN NULL;
      END $$`,
});

/** What the deletion of a tenant does beside it: keeps what was spent, locks, and notes it in the list. */
export const PRESERVE_LOCK_AND_NOTE = {
  ...PRESERVE_AND_LOCK,
  last: PRESERVE_AND_LOCK.last + note('doomed', `'tenant'`, 'doomed::text', 'clock_timestamp()'),
};

export const NOTE_FORGOTTEN_CONVERSATION = note('own', `'conversation'`, 'of_conversation::text', 'clock_timestamp()');

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(['work', ...APP_TENANT_TABLES, ...DELETED_BEHIND_WORK], PRESERVE_LOCK_AND_NOTE),
  forgetConversationFunction(FORGOTTEN_WITH_APPS, NOTE_FORGOTTEN_CONVERSATION),
];

const FUNCTIONS: readonly DefinerFunction[] = [
  trigger(
    'note_memory_deletion',
    note(
      'NEW.tenant_id',
      `CASE WHEN NEW.deleted_by = 'user' THEN 'memory' ELSE 'memory_restored' END`,
      'NEW.id::text',
      'NEW.updated_at',
    ),
  ),
  // Under the id of the receipt, so that the two can be told to be the same.
  trigger('note_erasure', note('NEW.tenant_id', `'user'`, 'NEW.user_id', 'NEW.erased_at', 'NEW.id')),
  trigger('note_key_revocation', note('NEW.tenant_id', `'api_key'`, 'NEW.id::text', 'NEW.revoked_at')),
  {
    // For what no trigger can name without the key. Of the session's tenant.
    signature: 'note_deletion(of_kind text, of_subject text, at timestamptz)',
    body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      BEGIN${note(OWN, 'of_kind', 'of_subject', 'at')}
      END $$`,
  },
  {
    // Numbers what is committed, and returns the last number. Whoever numbers meanwhile is waited for.
    signature: 'number_deletions(max_rows integer)',
    body: /* sql */ `
      RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(${NUMBERING_LOCK});
        UPDATE annals.deletions d SET seq = o.last + o.n
          FROM (SELECT f.id, row_number() OVER (ORDER BY f.ordinal) AS n,
                       (SELECT coalesce(max(k.seq), 0) FROM annals.deletions k) AS last
                  FROM (SELECT w.id, w.ordinal FROM annals.deletions w WHERE w.seq IS NULL
                         ORDER BY w.ordinal LIMIT max_rows) f) o
         WHERE d.id = o.id;
        RETURN (SELECT coalesce(max(d.seq), 0) FROM annals.deletions d);
      END $$`,
  },
  {
    signature: 'list_deletions(after bigint, max_rows integer)',
    body: /* sql */ `
      RETURNS TABLE (seq bigint, id uuid, of_tenant uuid, kind text, subject text, deleted_at timestamptz)
      LANGUAGE sql STABLE AS $$
        SELECT d.seq, d.id, d.of_tenant, d.kind, d.subject, d.deleted_at FROM annals.deletions d
         WHERE d.seq > after ORDER BY d.seq LIMIT max_rows
      $$`,
  },
  {
    signature: 'find_deletions(ids uuid[])',
    body: /* sql */ `
      RETURNS TABLE (id uuid, seq bigint) LANGUAGE sql STABLE AS $$
        SELECT d.id, d.seq FROM annals.deletions d WHERE d.id = ANY (ids)
      $$`,
  },
  {
    // An entry of the list, in its place. One that is here without a place, since the backup is older than its export,
    // gets it.
    signature: 'keep_deletion(of_id uuid, of_seq bigint, tenant uuid, of_kind text, of_subject text, at timestamptz)',
    body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        INSERT INTO annals.deletions AS d (id, seq, of_tenant, kind, subject, deleted_at)
        VALUES (of_id, of_seq, tenant, of_kind, of_subject, at)
        ON CONFLICT ON CONSTRAINT deletions_pkey DO UPDATE SET seq = excluded.seq WHERE d.seq IS NULL
      $$`,
  },
];

/** Of the definer, for its functions. */
export const DELETION_PRIVILEGES: Readonly<Record<string, string>> = {
  deletions: 'SELECT, INSERT, UPDATE (seq)',
};

export const DELETION_FUNCTIONS_SQL = [dropFunctions(REPLACED), createFunctions([...REPLACED, ...FUNCTIONS])].join(
  ';\n',
);

import { DELETED_WITH_TENANT as DELETED_BEFORE } from '../langgraph/direct.sql.js';
import { LOCK_LANGGRAPH_OF_USER } from '../langgraph/functions.sql.js';
import { eraseAndSealFunction } from '../sealing/functions.sql.js';
import {
  createFunctions,
  deletedBehindWork,
  deleteTenantFunction,
  type DefinerFunction,
  dropFunctions,
  FEW_OF_MANY_ROWS,
} from '../sql/definer-functions.sql.js';
import {
  ERASED_WITH_USER,
  LOCK_FEEDS_OF_USER,
  LOCK_OF_TENANT as LOCK_BEFORE,
  TELL_ERASURE,
  WEBHOOK_TENANT_TABLES,
} from '../webhooks/functions.sql.js';
import { VAULT_APP_PRIVILEGES } from './tables.sql.js';

const IS_ON = 'EXISTS (SELECT FROM annals.vault_switch s WHERE s.on_until > clock_timestamp())';

/** What is written together waits this long for more, so that a burst becomes one change set. */
const COLLECTED = `interval '1 second'`;

/** A trigger function that does nothing where there is no vault, nor for a tenant that is being deleted. */
const trigger = (name: string, body: string): DefinerFunction => ({
  signature: `${name}()`,
  body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF ${IS_ON} AND current_setting('annals.vault_asks', true) IS DISTINCT FROM 'off' THEN${body}
        END IF;
        RETURN NULL;
      END $$`,
});

/** Asks for work about subjects, as enqueueWork does for other kinds (docs/reference/work.md#requests). */
const requestWork = (subjects: string, due: string) => /* sql */ `
        INSERT INTO annals.work AS w (tenant_id, id, kind, subject_id, generation, available_at, rank_at, is_scheduled, trace, created_at)
        SELECT r.tenant_id, gen_random_uuid(), 'vault', r.subject_id, 1, ${due}, ${due}, ${due} > at, NULL, at
          FROM (${subjects}) r ORDER BY r.tenant_id, r.subject_id
        ON CONFLICT (tenant_id, subject_id, kind) DO UPDATE
          SET generation = w.generation + 1,
              available_at = CASE WHEN w.failed_at IS NULL AND (w.claimed_until IS NULL OR w.attempts = 0)
                                  THEN least(w.available_at, excluded.available_at) ELSE excluded.available_at END,
              rank_at = CASE WHEN w.failed_at IS NULL AND (w.claimed_until IS NULL OR w.attempts = 0)
                             THEN least(w.rank_at, excluded.rank_at) ELSE excluded.rank_at END,
              is_scheduled = excluded.is_scheduled,
              leased_until = NULL, released_at = NULL, checked_at = NULL, attempts = 0, failed_at = NULL,
              failure_code = NULL, deferred_reason = NULL
        WHERE w.claimed_until IS NOT NULL OR w.failed_at IS NOT NULL
           OR (w.attempts > 0 AND w.deferred_reason IS NULL)
           OR (w.released_at IS NULL AND w.deferred_reason IS NULL AND w.available_at > excluded.available_at)`;

const TRANSACTION = 'pg_current_xact_id()::text::bigint';

/** Notes users for the end of the transaction, each once. `users`: rows of tenant_id and user_id. */
const noteUsers = (users: string) => /* sql */ `
          INSERT INTO annals.vault_notes (id, transaction_id, of_tenant, subject_id)
          SELECT gen_random_uuid(), ${TRANSACTION}, u.tenant_id, u.subject_id FROM annals.users u
           WHERE (u.tenant_id, u.user_id) IN (${users}) AND u.subject_id IS NOT NULL
             AND u.pseudonym IS DISTINCT FROM u.user_id
             AND NOT EXISTS (SELECT FROM annals.vault_notes n
                              WHERE n.transaction_id = ${TRANSACTION} AND n.subject_id = u.subject_id);`;

const VAULT_FUNCTIONS: readonly DefinerFunction[] = [
  trigger('note_vault_of_users', noteUsers('SELECT a.tenant_id, a.user_id FROM affected a')),
  trigger(
    'note_vault_of_conversations',
    noteUsers(`SELECT c.tenant_id, c.user_id FROM annals.conversations c
                            WHERE (c.tenant_id, c.id) IN (SELECT a.tenant_id, a.conversation_id FROM affected a)`),
  ),
  {
    // At the commit, so that nothing else is locked behind the work that it locks, in an order that all transactions have.
    signature: 'request_noted_vaults()',
    body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        at timestamptz := clock_timestamp();
        tenants uuid[];
        subjects uuid[];
      BEGIN
        WITH mine AS (
          DELETE FROM annals.vault_notes n WHERE n.transaction_id = NEW.transaction_id
          RETURNING n.of_tenant, n.subject_id)
        SELECT array_agg(m.of_tenant), array_agg(m.subject_id) INTO tenants, subjects FROM mine m;
        IF cardinality(tenants) > 0 THEN${requestWork(
          'SELECT l.tenant_id, l.subject_id FROM unnest(tenants, subjects) AS l(tenant_id, subject_id)',
          `at + ${COLLECTED}`,
        )};
        END IF;
        RETURN NULL;
      END $$ ${FEW_OF_MANY_ROWS}`,
  },
  {
    // The receipt of the erasure that asked for the removal: the rest of its transaction.
    signature: 'note_receipt_of_vault()',
    body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        UPDATE annals.vault_erasures e SET receipt_id = NEW.id
         WHERE e.tenant_id = NEW.tenant_id AND e.pseudonym = NEW.user_id AND e.receipt_id IS NULL;
        RETURN NULL;
      END $$`,
  },
  {
    // Switched on for a week, which the process that writes the vault renews. Whether all were asked for since it is on.
    signature: 'open_vault()',
    body: /* sql */ `
      RETURNS TABLE (is_asked boolean, vault_id uuid) LANGUAGE sql VOLATILE AS $$
        INSERT INTO annals.vault_switch AS s (on_until) VALUES (clock_timestamp() + interval '7 days')
        ON CONFLICT (is_known) DO UPDATE
          SET on_until = excluded.on_until, asked_at = CASE WHEN s.on_until > clock_timestamp() THEN s.asked_at END
        RETURNING s.asked_at IS NOT NULL, s.vault_id
      $$`,
  },
  {
    signature: 'note_vault_folder(id uuid)',
    body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        UPDATE annals.vault_switch SET vault_id = id
      $$`,
  },
  {
    signature: 'note_vaults_asked()',
    body: /* sql */ `
      RETURNS void LANGUAGE sql VOLATILE AS $$
        UPDATE annals.vault_switch SET asked_at = clock_timestamp()
      $$`,
  },
  {
    // Work that nobody does is dropped: switching on asks for all of it again. `abandons`: the next folder may be another
    // one. Returns whether it was on.
    signature: 'close_vault(abandons boolean)',
    body: /* sql */ `
      RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF abandons THEN
          UPDATE annals.vault_switch SET vault_id = NULL;
        END IF;
        UPDATE annals.vault_switch SET on_until = '-infinity', asked_at = NULL WHERE on_until > clock_timestamp();
        IF NOT FOUND THEN RETURN false; END IF;
        DELETE FROM annals.work w WHERE w.kind = 'vault';
        RETURN true;
      END $$`,
  },
  {
    // Asks for the vaults of the next users, and returns the last of them; no row behind the last page. With the first, for
    // the removal of all folders of erased users that are left.
    signature: 'request_vaults(after_tenant uuid, after_subject uuid, at_most integer, at timestamptz)',
    body: /* sql */ `
      RETURNS TABLE (tenant_id uuid, subject_id uuid) LANGUAGE plpgsql VOLATILE AS $$
      #variable_conflict use_column
      DECLARE
        tenants uuid[];
        subjects uuid[];
      BEGIN
        -- Users of earlier releases who were not written to since.
        UPDATE annals.users u SET subject_id = gen_random_uuid()
         WHERE u.subject_id IS NULL AND u.pseudonym IS DISTINCT FROM u.user_id;
        IF after_tenant = '00000000-0000-0000-0000-000000000000' THEN${requestWork(
          'SELECT e.tenant_id, e.subject_id FROM annals.vault_erasures e WHERE e.removed_at IS NULL',
          'at',
        )};
        END IF;
        SELECT array_agg(p.tenant_id), array_agg(p.subject_id) INTO tenants, subjects FROM (
          SELECT u.tenant_id, u.subject_id FROM annals.users u
           WHERE (u.tenant_id, u.subject_id) > (after_tenant, after_subject) AND u.subject_id IS NOT NULL
             AND u.pseudonym IS DISTINCT FROM u.user_id
           ORDER BY u.tenant_id, u.subject_id LIMIT at_most) p;${requestWork(
             'SELECT l.tenant_id, l.subject_id FROM unnest(tenants, subjects) AS l(tenant_id, subject_id)',
             'at',
           )};
        IF cardinality(tenants) > 0 THEN
          RETURN QUERY SELECT tenants[cardinality(tenants)], subjects[cardinality(subjects)];
        END IF;
      END $$`,
  },
  {
    // Of these ids, those of tenants that were deleted. An id that this database never knew is none of them.
    signature: 'find_deleted_tenants(ids uuid[])',
    body: /* sql */ `
      RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
        SELECT t.id FROM unnest(ids) AS t(id)
         WHERE EXISTS (SELECT FROM annals.deletions d WHERE d.of_tenant = t.id AND d.kind = 'tenant')
           AND NOT EXISTS (SELECT FROM annals.tenants o WHERE o.tenant_id = t.id)
      $$`,
  },
];

/** While the user is known by their id, also when the vault is off: there may be a folder. Who is only known since this erasure began, by what it left, has no folder. */
const ASK_TO_REMOVE = `
        IF EXISTS (SELECT FROM annals.vault_switch) THEN
          INSERT INTO annals.vault_erasures (tenant_id, subject_id, pseudonym, requested_at)
          SELECT u.tenant_id, u.subject_id, subject, at FROM annals.users u
           WHERE u.tenant_id = own AND u.user_id = of_user AND u.subject_id IS NOT NULL
             AND (u.pseudonym IS NOT NULL OR u.chain_seq > 0)
          ON CONFLICT DO NOTHING;
        END IF;`;

/** Behind the deletion of all work about the user: this work outlives them. */
const SEND_REMOVAL = `${requestWork(
  `SELECT e.tenant_id, e.subject_id FROM annals.vault_erasures e
                 WHERE e.tenant_id = own AND e.pseudonym = subject AND e.removed_at IS NULL
                   AND ${IS_ON}`,
  'at',
)};`;

/** Tables of this migration whose rows belong to a tenant. */
export const VAULT_TENANT_TABLES: readonly string[] = Object.keys(VAULT_APP_PRIVILEGES);

const REPLACED: readonly DefinerFunction[] = [
  deleteTenantFunction(deletedBehindWork([...VAULT_TENANT_TABLES, ...WEBHOOK_TENANT_TABLES], DELETED_BEFORE), {
    ...LOCK_BEFORE,
    first: `${LOCK_BEFORE.first}
        PERFORM set_config('annals.vault_asks', 'off', true);`,
  }),
  eraseAndSealFunction(
    ERASED_WITH_USER,
    LOCK_LANGGRAPH_OF_USER + LOCK_FEEDS_OF_USER + ASK_TO_REMOVE,
    TELL_ERASURE + SEND_REMOVAL,
  ),
];

export const VAULT_FUNCTIONS_SQL = [dropFunctions(REPLACED), createFunctions([...VAULT_FUNCTIONS, ...REPLACED])].join(
  ';\n',
);

const onStatement = (table: string, event: 'INSERT' | 'UPDATE' | 'DELETE', by: string) => /* sql */ `
CREATE TRIGGER note_vault_on_${event.toLowerCase()} AFTER ${event} ON annals.${table}
  REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS affected
  FOR EACH STATEMENT EXECUTE FUNCTION annals.${by}()`;

/** After the functions that they call. Every change of a memory is in the history, but not that it was said again. */
export const VAULT_TRIGGERS_SQL = [
  onStatement('history', 'INSERT', 'note_vault_of_users'),
  onStatement('memory_sources', 'INSERT', 'note_vault_of_users'),
  ...(['messages', 'summaries'] as const).flatMap((table) =>
    (['INSERT', 'UPDATE', 'DELETE'] as const).map((event) => onStatement(table, event, 'note_vault_of_conversations')),
  ),
  onStatement('summary_sentences', 'DELETE', 'note_vault_of_conversations'),
  /* sql */ `
CREATE CONSTRAINT TRIGGER request_noted_vaults AFTER INSERT ON annals.vault_notes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION annals.request_noted_vaults()`,
  /* sql */ `
CREATE TRIGGER note_receipt_of_vault AFTER INSERT ON annals.erasure_receipts FOR EACH ROW
  EXECUTE FUNCTION annals.note_receipt_of_vault()`,
].join(';');

import { deleteRows, DETACH_MONEY, ERASED_WITH_USER, OWN } from '../recall/erasure-functions.sql.js';
import { createFunctions, type DefinerFunction } from '../sql/definer-functions.sql.js';

/**
 * Erases a user with everything that `erased` names, children before parents. `locks` and `last`: statements before that,
 * and behind everything.
 */
export const eraseAndSealFunction = (
  erased: Readonly<Record<string, string>>,
  locks = '',
  last = '',
): DefinerFunction => ({
  // Locks as everyone does: the user, threads, batches, memories. The user's row is inserted when only a pseudonym is
  // left, since it is what writers of a user wait for. Afterwards all that remains is under the pseudonym.
  signature: 'erase_and_seal(of_user text, subject text, at timestamptz)',
  body: /* sql */ `
      RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
        batch_ids uuid[];
        changed bigint;
        receipt jsonb := '{}';
        live record;
        sealed record;
        shift bigint := 0;
      BEGIN
        IF subject !~ '^pseudonym:[0-9a-f]{64}$' OR of_user = subject THEN RAISE 'A user and a pseudonym are needed.'; END IF;
        PERFORM 1 FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user FOR UPDATE;
        IF NOT FOUND THEN
          -- Who was only asked about has events and no row yet. Whoever writes events is waited for; foreign keys are not.
          PERFORM 1 FROM annals.tenants t WHERE t.tenant_id = own FOR NO KEY UPDATE;
          INSERT INTO annals.users (tenant_id, user_id, created_at)
          SELECT own, of_user, min(known.at) FROM (
            SELECT e.ts FROM annals.events e WHERE e.tenant_id = own AND e.user_id = of_user
            UNION ALL
            SELECT s.created_at FROM annals.users s WHERE s.tenant_id = own AND s.user_id = subject
            UNION ALL
            SELECT at FROM annals.api_keys k WHERE k.tenant_id = own AND k.user_id = of_user
            UNION ALL
            SELECT at FROM annals.idempotency_keys i WHERE i.tenant_id = own AND i.user_id = of_user
            UNION ALL
            SELECT at FROM annals.usage c WHERE c.tenant_id = own AND c.user_id = of_user
            UNION ALL
            SELECT at FROM annals.reservations r WHERE r.tenant_id = own AND r.user_id = of_user) known (at)
          HAVING count(*) > 0
          ON CONFLICT DO NOTHING;
          PERFORM 1 FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user FOR UPDATE;
          IF NOT FOUND THEN RETURN NULL; END IF;
        END IF;
        PERFORM 1 FROM annals.conversations c WHERE c.tenant_id = own AND c.user_id = of_user ORDER BY c.id FOR UPDATE;
        SELECT coalesce(array_agg(locked.id), '{}') INTO batch_ids FROM (
          SELECT b.id FROM annals.batches b
           WHERE b.tenant_id = own AND b.conversation_id IN (
             SELECT c.id FROM annals.conversations c WHERE c.tenant_id = own AND c.user_id = of_user)
           ORDER BY b.id FOR UPDATE) locked;
        -- Who notes reads holds the memories first and their notes second: it passes by what is locked here.
        PERFORM 1 FROM annals.memories m WHERE m.tenant_id = own AND m.user_id = of_user ORDER BY m.id FOR UPDATE;${locks}
${DETACH_MONEY}
${deleteRows(Object.entries(erased))}
        -- Answers that belong to no user but name this one: those about API keys.
        DELETE FROM annals.idempotency_keys t
         WHERE t.tenant_id = own AND t.user_id IS NULL
           AND jsonb_path_exists(t.response, '$.**.user_id ? (@ == $id)', jsonb_build_object('id', of_user));
        UPDATE annals.api_keys t SET user_id = subject, revoked_at = coalesce(t.revoked_at, at)
         WHERE t.tenant_id = own AND t.user_id = of_user;
        GET DIAGNOSTICS changed = ROW_COUNT;
        receipt := receipt || jsonb_build_object('api_keys', changed);
        SELECT count(*) INTO changed FROM annals.history t
         WHERE t.tenant_id = own AND t.user_id = of_user AND t.event <> 'ERASE'
           AND (t.content IS NOT NULL OR t.salt IS NOT NULL);
        receipt := receipt || jsonb_build_object('history', changed);
        SELECT u.created_at, u.chain_seq, u.chain_head, u.erased_at INTO live
          FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user;
        SELECT u.chain_seq INTO sealed
          FROM annals.users u WHERE u.tenant_id = own AND u.user_id = subject FOR UPDATE;
        IF FOUND THEN
          -- A process of an earlier release, which knows no pseudonyms, began a chain of its own.
          IF EXISTS (SELECT FROM annals.history t
                      WHERE t.tenant_id = own AND t.user_id = of_user AND t.seq <= sealed.chain_seq) THEN
            shift := sealed.chain_seq;
          END IF;
          UPDATE annals.users u
             SET erased_at = greatest(u.erased_at, live.erased_at),
                 chain_seq = CASE WHEN live.chain_head IS NULL THEN u.chain_seq ELSE live.chain_seq + shift END,
                 chain_head = coalesce(live.chain_head, u.chain_head)
           WHERE u.tenant_id = own AND u.user_id = subject;
        ELSE
          -- Not the same row under another key: who waits for it would lock the new version, and two erasures in
          -- succession would wait for each other by way of that writer.
          INSERT INTO annals.users (tenant_id, user_id, pseudonym, created_at, erased_at, chain_seq, chain_head)
          VALUES (own, subject, subject, live.created_at, live.erased_at, live.chain_seq, live.chain_head);
        END IF;
        DELETE FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user;
        UPDATE annals.history t
           SET user_id = subject, seq = t.seq + shift,
               content = CASE t.event WHEN 'ERASE' THEN t.content END, salt = CASE t.event WHEN 'ERASE' THEN t.salt END
         WHERE t.tenant_id = own AND t.user_id = of_user;
        UPDATE annals.erasure_receipts t SET user_id = subject, chain_seq = t.chain_seq + shift
         WHERE t.tenant_id = own AND t.user_id = of_user;${last}
        RETURN receipt;
      END $$ SET jit = off`,
});

const RESEAL_HISTORY: DefinerFunction = {
  // Services may not change history. This replaces hashes of a user who is erased, and the receipts that name them.
  signature: 'reseal_history(subject text, links json, receipts json)',
  body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
      BEGIN
        IF subject !~ '^pseudonym:[0-9a-f]{64}$' THEN RAISE 'Only the history of an erased user can be rewritten.'; END IF;
        UPDATE annals.history t
           SET version = 2, prev_hash = decode(r.prev_hash, 'hex'), hash = decode(r.hash, 'hex'),
               replaced_hash = decode(r.replaced_hash, 'hex')
          FROM json_to_recordset(links) AS r (seq bigint, prev_hash text, hash text, replaced_hash text)
         WHERE t.tenant_id = own AND t.user_id = subject AND t.seq = r.seq;
        UPDATE annals.erasure_receipts t
           SET chain_head = decode(r.chain_head, 'hex'), resealed = r.resealed, signature = decode(r.signature, 'hex')
          FROM json_to_recordset(receipts) AS r (id uuid, chain_head text, resealed jsonb, signature text)
         WHERE t.tenant_id = own AND t.user_id = subject AND t.id = r.id;
      END $$ SET jit = off`,
};

const REQUEST_FILE_SCRUB: DefinerFunction = {
  // Only the embedded database has this setting: a server rewrites its pages on its own.
  signature: 'request_file_scrub()',
  body: /* sql */ `
      RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF current_setting('annals.embedded', true) = 'on' AND EXISTS (SELECT FROM affected) THEN
          INSERT INTO annals.file_scrubs (id) VALUES (gen_random_uuid());
        END IF;
        RETURN NULL;
      END $$`,
};

export const SEALING_FUNCTIONS_SQL = createFunctions([
  eraseAndSealFunction(ERASED_WITH_USER),
  RESEAL_HISTORY,
  REQUEST_FILE_SCRUB,
]);

/** What the functions read and change beyond what earlier ones did. */
export const SEALING_PRIVILEGES: Readonly<Record<string, string>> = {
  users:
    'SELECT (user_id, created_at, erased_at, chain_seq, chain_head), INSERT (tenant_id, user_id, pseudonym, created_at, erased_at, chain_seq, chain_head), UPDATE (erased_at, chain_seq, chain_head)',
  history:
    'SELECT (user_id, seq, event, content, salt), UPDATE (user_id, seq, version, prev_hash, hash, replaced_hash)',
  erasure_receipts: 'SELECT (id, user_id, chain_seq), UPDATE (user_id, chain_seq, chain_head, resealed, signature)',
  idempotency_keys: 'SELECT (user_id, response)',
  api_keys: 'UPDATE (user_id, revoked_at)',
  file_scrubs: 'INSERT',
};

import { type DefinerFunction, FEW_OF_MANY_ROWS } from '../sql/definer-functions.sql.js';

export const OWN = `nullif(current_setting('annals.tenant', true), '')::uuid`;

/** Where a row's user is known by what it belongs to. `own` and `of_user` stand for tenant and user. */
const OF_MEMORIES = (column: string) =>
  `t.${column} IN (SELECT m.id FROM annals.memories m WHERE m.tenant_id = own AND m.user_id = of_user)`;
const OF_BATCHES = 't.batch_id = ANY (batch_ids)';
const OF_USER = 't.user_id = of_user';

/**
 * Every table that holds something of one person, and which of its rows are theirs: children before parents. Of
 * `history` and `usage` rows are stripped instead (`STRIPPED`), and the user's row stays as the head of the chain.
 */
export const ERASED_WITH_USER: Readonly<Record<string, string>> = {
  checkpoints: OF_USER,
  checkpoint_versions: OF_USER,
  context_proposals: OF_USER,
  user_contexts: OF_USER,
  lexical_postings: OF_USER,
  lexical_units: OF_USER,
  idempotency_keys: OF_USER,
  events: OF_USER,
  change_log: OF_USER,
  thread_revisions: OF_USER,
  memory_access: OF_MEMORIES('memory_id'),
  relations: OF_MEMORIES('from_id'),
  memory_embeddings: OF_USER,
  memory_sources: OF_USER,
  memories: OF_USER,
  outbox: OF_BATCHES,
  extractions: OF_BATCHES,
  call_answers: OF_BATCHES,
  reconciliations: OF_BATCHES,
  messages: OF_BATCHES,
  batches: 't.id = ANY (batch_ids)',
  conversations: OF_USER,
};

/** Deletes rows of the session's tenant, table by table, and counts them in `receipt`. */
export function deleteRows(conditions: Iterable<readonly [table: string, condition: string]>): string {
  return [...conditions]
    .map(
      ([table, condition]) => `
        DELETE FROM annals.${table} t WHERE t.tenant_id = own AND ${condition};
        GET DIAGNOSTICS changed = ROW_COUNT;
        receipt := receipt || jsonb_build_object('${table}', changed);`,
    )
    .join('');
}

// A call that is running goes on to be paid for, by nobody: its batch does not outlive it.
// Reservations first: one that is being settled meanwhile is waited for, and its usage is there then.
export const DETACH_MONEY = ['reservations', 'usage']
  .map(
    (table) => `
        UPDATE annals.${table} t SET user_id = NULL, batch_id = NULL
         WHERE t.tenant_id = own AND (t.user_id = of_user OR t.batch_id = ANY (batch_ids));
        GET DIAGNOSTICS changed = ROW_COUNT;
        receipt := receipt || jsonb_build_object('${table}', changed);`,
  )
  .join('');

const ERASE_USER: DefinerFunction = {
  // Locks as everyone does: the user, threads, batches, memories. Whoever began before is waited for and then erased
  // too; whoever comes later finds nothing. Of the session's tenant alone.
  signature: 'erase_user(of_user text)',
  body: /* sql */ `
      RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
        batch_ids uuid[];
        changed bigint;
        receipt jsonb := '{}';
      BEGIN
        PERFORM 1 FROM annals.users u WHERE u.tenant_id = own AND u.user_id = of_user FOR UPDATE;
        IF NOT FOUND THEN
          -- Who was only asked about has events and no row yet. Whoever writes events is waited for; foreign keys are not.
          PERFORM 1 FROM annals.tenants t WHERE t.tenant_id = own FOR NO KEY UPDATE;
          INSERT INTO annals.users (tenant_id, user_id, created_at)
          SELECT own, of_user, min(e.ts) FROM annals.events e WHERE e.tenant_id = own AND e.user_id = of_user
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
        PERFORM 1 FROM annals.memories m WHERE m.tenant_id = own AND m.user_id = of_user ORDER BY m.id FOR UPDATE;
${DETACH_MONEY}
${deleteRows(Object.entries(ERASED_WITH_USER))}
        UPDATE annals.history t SET content = NULL, salt = NULL
         WHERE t.tenant_id = own AND t.user_id = of_user AND t.event <> 'ERASE'
           AND (t.content IS NOT NULL OR t.salt IS NOT NULL);
        GET DIAGNOSTICS changed = ROW_COUNT;
        receipt := receipt || jsonb_build_object('history', changed);
        UPDATE annals.users u
           SET memory_count = 0, term_total = 0, turn_count = 0, turn_length = 0, analyzer = NULL
         WHERE u.tenant_id = own AND u.user_id = of_user;
        RETURN receipt;
      END $$ SET jit = off`,
};

const HOLD_TENANT: DefinerFunction = {
  // For who writes what no foreign key ties to a tenant: it is not deleted before the transaction ends. A key would be
  // checked for every row, and behind the locks on users, which a deletion takes after the one on the tenant.
  signature: 'hold_tenant()',
  body: /* sql */ `
      RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM 1 FROM annals.tenants t WHERE t.tenant_id = ${OWN} FOR SHARE;
      END $$`,
};

/** Tables of a conversation, children before parents. Its units have left the index before. */
export const FORGOTTEN: readonly (readonly [table: string, condition: string])[] = [
  ['context_proposals', `${OF_USER} AND t.id = ANY (proposal_ids)`],
  [
    'memory_sources',
    't.message_id IN (SELECT m.id FROM annals.messages m WHERE m.tenant_id = own AND m.batch_id = ANY (batch_ids))',
  ],
  ['outbox', OF_BATCHES],
  ['extractions', OF_BATCHES],
  ['call_answers', OF_BATCHES],
  ['reconciliations', OF_BATCHES],
  ['messages', OF_BATCHES],
  ['batches', 't.id = ANY (batch_ids)'],
  ['conversations', 't.id = of_conversation'],
];

/** Deletes a conversation with everything that `forgotten` names. `last`: statements behind that. */
export const forgetConversationFunction = (forgotten: typeof FORGOTTEN, last = ''): DefinerFunction => ({
  signature: 'forget_conversation(of_conversation uuid, proposal_ids uuid[])',
  body: /* sql */ `
      RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
      DECLARE
        own uuid := ${OWN};
        of_user text;
        batch_ids uuid[];
        changed bigint;
        receipt jsonb := '{}';
      BEGIN
        SELECT c.user_id INTO of_user FROM annals.conversations c
         WHERE c.tenant_id = own AND c.id = of_conversation FOR UPDATE;
        IF NOT FOUND THEN RETURN NULL; END IF;
        SELECT coalesce(array_agg(locked.id), '{}') INTO batch_ids FROM (
          SELECT b.id FROM annals.batches b WHERE b.tenant_id = own AND b.conversation_id = of_conversation
           ORDER BY b.id FOR UPDATE) locked;
        UPDATE annals.reservations t SET batch_id = NULL WHERE t.tenant_id = own AND t.batch_id = ANY (batch_ids);
        UPDATE annals.history t SET content = NULL, salt = NULL
         WHERE t.tenant_id = own AND ${OF_USER} AND t.event = 'CONSENT' AND t.new_ref = ANY (proposal_ids);
${deleteRows(forgotten)}${last}
        RETURN receipt;
      END $$ ${FEW_OF_MANY_ROWS}`,
});

export const ERASURE_FUNCTIONS: readonly DefinerFunction[] = [
  ERASE_USER,
  HOLD_TENANT,
  forgetConversationFunction(FORGOTTEN),
];

/** What both functions read and change beyond deleting rows of a tenant; a row is locked by who may update a column. */
export const ERASURE_PRIVILEGES: Readonly<Record<string, string>> = {
  users:
    'SELECT (user_id), INSERT (tenant_id, user_id, created_at), UPDATE (memory_count, term_total, turn_count, turn_length, analyzer)',
  checkpoints: 'SELECT (user_id)',
  checkpoint_versions: 'SELECT (user_id)',
  context_proposals: 'SELECT (id, user_id)',
  user_contexts: 'SELECT (user_id)',
  lexical_postings: 'SELECT (user_id)',
  lexical_units: 'SELECT (user_id)',
  idempotency_keys: 'SELECT (user_id)',
  events: 'SELECT (user_id, ts)',
  change_log: 'SELECT (user_id)',
  thread_revisions: 'SELECT (user_id)',
  memory_access: 'SELECT (memory_id)',
  relations: 'SELECT (from_id)',
  memory_embeddings: 'SELECT (user_id)',
  memory_sources: 'SELECT (user_id, message_id)',
  memories: 'SELECT (id, user_id), UPDATE (updated_at)',
  outbox: 'SELECT (batch_id)',
  extractions: 'SELECT (batch_id)',
  call_answers: 'SELECT (batch_id)',
  reconciliations: 'SELECT (batch_id)',
  messages: 'SELECT (id, batch_id)',
  batches: 'SELECT (id, conversation_id)',
  conversations: 'SELECT (id, user_id)',
  usage: 'SELECT (user_id, batch_id), UPDATE (user_id, batch_id)',
  reservations: 'UPDATE (user_id, batch_id)',
  history: 'SELECT (user_id, event, new_ref, content, salt), UPDATE (content, salt)',
};

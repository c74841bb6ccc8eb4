import { StorageFixture } from '../fixtures/storage.fixture.js';
import { TENANT_TABLES } from './tenant-tables.fixture.js';

/** Written out a second time on purpose: a privilege that slips into the migration has to be added here as well. */
const APP_PRIVILEGES: Record<string, string> = {
  api_keys: 'INSERT SELECT UPDATE(revoked_at)',
  app_memories: 'DELETE INSERT SELECT UPDATE(content) UPDATE(replaced_by) UPDATE(state) UPDATE(updated_at)',
  app_memory_sources: 'INSERT SELECT',
  apps: 'DELETE INSERT SELECT UPDATE(is_shared) UPDATE(name) UPDATE(updated_at)',
  batches: 'INSERT SELECT UPDATE',
  budget_epochs: 'SELECT',
  budgets: 'DELETE INSERT SELECT UPDATE',
  call_answers: 'DELETE INSERT SELECT',
  change_log: 'INSERT SELECT',
  checkpoint_versions: 'DELETE INSERT SELECT UPDATE',
  checkpoints: 'INSERT SELECT UPDATE',
  consolidation_fingerprints: 'DELETE INSERT SELECT UPDATE',
  consolidation_pairs: 'INSERT SELECT UPDATE',
  consolidation_tokens: 'INSERT SELECT UPDATE',
  context_proposals: 'INSERT SELECT UPDATE',
  conversations: 'INSERT SELECT UPDATE',
  deployment_budgets: 'SELECT',
  dry_runs: 'DELETE INSERT SELECT UPDATE',
  energy_meters: 'INSERT SELECT UPDATE',
  energy_polls: 'INSERT SELECT UPDATE',
  energy_usage: 'INSERT SELECT UPDATE',
  erasure_receipts: 'INSERT SELECT',
  events: 'INSERT SELECT',
  extractions: 'DELETE INSERT SELECT UPDATE',
  history: 'INSERT SELECT',
  idempotency_keys: 'DELETE INSERT SELECT',
  insight_grounds: 'INSERT SELECT',
  insights: 'INSERT SELECT',
  langgraph_checkpoints: 'DELETE INSERT SELECT UPDATE',
  langgraph_item_texts: 'DELETE INSERT SELECT',
  langgraph_item_vectors: 'DELETE INSERT SELECT',
  langgraph_items: 'DELETE INSERT SELECT UPDATE',
  langgraph_logins: 'SELECT',
  langgraph_namespaces: 'DELETE INSERT SELECT UPDATE',
  langgraph_threads: 'DELETE INSERT SELECT UPDATE',
  langgraph_writes: 'DELETE INSERT SELECT UPDATE',
  lexical_postings: 'DELETE INSERT SELECT UPDATE',
  lexical_units: 'DELETE INSERT SELECT',
  memories: 'INSERT SELECT UPDATE',
  memory_access: 'INSERT SELECT UPDATE',
  memory_embeddings: 'DELETE INSERT SELECT',
  memory_sources: 'INSERT SELECT',
  messages: 'INSERT SELECT UPDATE(echo_of) UPDATE(evicted_at)',
  mind_run_changes: 'INSERT SELECT UPDATE',
  mind_runs: 'INSERT SELECT UPDATE',
  mind_watermarks: 'INSERT SELECT UPDATE',
  outbox: 'DELETE INSERT SELECT UPDATE',
  reconciliations: 'INSERT SELECT',
  relations: 'INSERT SELECT',
  reservations: 'DELETE INSERT SELECT',
  summaries: 'DELETE INSERT SELECT UPDATE(fingerprint) UPDATE(replaced_by) UPDATE(tombstoned_at)',
  summary_sentences: 'DELETE INSERT SELECT',
  tenants:
    'SELECT UPDATE(default_country) UPDATE(personal_ids) UPDATE(pseudonym_check) UPDATE(pseudonym_salt) UPDATE(writing_checks)',
  thread_revisions: 'INSERT SELECT UPDATE',
  usage: 'INSERT SELECT',
  user_contexts: 'INSERT SELECT UPDATE',
  users: 'INSERT SELECT UPDATE',
  vault_erasures: 'SELECT UPDATE(commits) UPDATE(files) UPDATE(receipt_id) UPDATE(removed_at) UPDATE(signature)',
  webhook_deliveries:
    'DELETE SELECT UPDATE(attempts) UPDATE(failure) UPDATE(first_failed_at) UPDATE(response_status) UPDATE(settled_at) UPDATE(status)',
  webhook_feeds: 'DELETE SELECT UPDATE(due_at) UPDATE(leased_until) UPDATE(retries_now)',
  webhooks: 'DELETE INSERT SELECT UPDATE',
  work: 'DELETE INSERT SELECT UPDATE',
};

describe('what the migrations let each role do', () => {
  let fixture: StorageFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  /** `TABLE: 'INSERT SELECT UPDATE(column)'` of a role. */
  async function readPrivileges(role: string): Promise<Record<string, string>> {
    const rows = await fixture.queryAsSuperuser<{ name: string; privileges: string }>(
      `WITH granted AS (
         SELECT c.relname, a.privilege_type AS privilege, a.grantee FROM pg_class c, aclexplode(c.relacl) a
          WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind <> 'i'
          UNION ALL
         SELECT c.relname, a.privilege_type || '(' || t.attname || ')', a.grantee
           FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
          WHERE c.relnamespace = 'annals'::regnamespace)
       SELECT relname AS name, string_agg(privilege, ' ' ORDER BY privilege COLLATE "C") AS privileges
         FROM granted WHERE grantee = to_regrole($1) GROUP BY relname`,
      [role],
    );
    return Object.fromEntries(rows.map((row) => [row.name, row.privileges]));
  }

  it('forces a policy on every table of a tenant', async () => {
    const rows = await fixture.queryAsSuperuser<{ name: string; forced: boolean; own: string[] | null }>(
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
              (SELECT array_agg(p.polname::text || CASE WHEN p.polpermissive THEN '' ELSE ' restrictive' END)
                 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polroles = ARRAY['annals_app'::regrole::oid]
                  AND p.polcmd = '*' AND pg_get_expr(p.polqual, c.oid) = pg_get_expr(p.polwithcheck, c.oid)) AS own
         FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
    );
    expect(rows).toEqual([...TENANT_TABLES].toSorted().map((name) => ({ name, forced: true, own: ['own_tenant'] })));
  });

  it('has no policy for anybody else but the functions that look across tenants', async () => {
    const rows = await fixture.queryAsSuperuser<{ roles: string }>(
      `SELECT DISTINCT (SELECT string_agg(r::regrole::text, ' ') FROM unnest(p.polroles) r) AS roles FROM pg_policy p
        ORDER BY 1`,
    );
    expect(rows.map((row) => row.roles)).toEqual(['annals_app', 'annals_definer']);
  });

  it('gives services exactly the declared privileges, and none on keys of operators or the ledger', async () => {
    expect(await readPrivileges('annals_app')).toEqual(APP_PRIVILEGES);
  });

  it('lets the definer of functions delete by tenant, and change only what they change', async () => {
    const privileges = await readPrivileges('annals_definer');
    const ofDeleting = new Set(['DELETE', 'SELECT(tenant_id)']);
    const beyondDeleting = Object.entries(privileges)
      .map(([table, text]) => {
        const words = text.split(' ');
        const all = TENANT_TABLES.includes(table) ? words.filter((word) => !ofDeleting.has(word)) : words;
        return [table, all.join(' ')];
      })
      .filter(([, text]) => text !== '');
    expect(Object.fromEntries(beyondDeleting)).toEqual({
      api_keys: 'SELECT UPDATE(revoked_at) UPDATE(user_id)',
      app_memories: 'SELECT(app_id) SELECT(conversation_id) SELECT(id) SELECT(state) SELECT(user_id)',
      app_memory_sources: 'SELECT(app_memory_id) SELECT(conversation_id) SELECT(user_id)',
      apps: 'SELECT(app_id)',
      batches:
        'SELECT SELECT(conversation_id) SELECT(id) SELECT(state) UPDATE(cost_micro_usd) UPDATE(deferred_until) UPDATE(generation) UPDATE(revision)',
      budget_alerts: 'INSERT',
      budget_epochs: 'INSERT SELECT UPDATE',
      budgets: 'SELECT(updated_at)',
      call_answers: 'SELECT(batch_id)',
      change_log: 'SELECT(user_id)',
      checkpoint_versions: 'SELECT(saved_at) SELECT(thread_id) SELECT(user_id) SELECT(version)',
      checkpoints: 'SELECT(thread_id) SELECT(user_id) SELECT(version)',
      consolidation_fingerprints: 'SELECT(expires_at) SELECT(fingerprint) SELECT(user_id) UPDATE(expires_at)',
      consolidation_pairs: 'SELECT(user_id)',
      context_proposals: 'SELECT(expires_at) SELECT(id) SELECT(state) SELECT(user_id)',
      conversations: 'SELECT(id) SELECT(user_id) UPDATE(updated_at)',
      deletions: 'INSERT SELECT UPDATE(seq)',
      departed_spend: 'INSERT SELECT UPDATE',
      deployment_budgets: 'DELETE INSERT SELECT UPDATE',
      dry_runs: 'SELECT(expires_at)',
      energy_meters: 'SELECT(level_milli) SELECT(updated_at)',
      energy_usage: 'SELECT(day) SELECT(kind) UPDATE(calls)',
      erasure_receipts:
        'SELECT(chain_seq) SELECT(id) SELECT(user_id) UPDATE(chain_head) UPDATE(chain_seq) UPDATE(resealed) UPDATE(signature) UPDATE(user_id)',
      events: 'SELECT(id) SELECT(ts) SELECT(user_id) UPDATE(ts)',
      extractions: 'SELECT(batch_id) UPDATE(answer) UPDATE(diagnostics) UPDATE(items)',
      file_scrubs: 'INSERT',
      history:
        'SELECT(batch_id) SELECT(content) SELECT(event) SELECT(memory_id) SELECT(new_ref) SELECT(salt) SELECT(seq) SELECT(user_id) UPDATE(content) UPDATE(hash) UPDATE(prev_hash) UPDATE(replaced_hash) UPDATE(salt) UPDATE(seq) UPDATE(user_id) UPDATE(version)',
      idempotency_keys: 'SELECT(created_at) SELECT(response) SELECT(user_id)',
      insight_grounds: 'SELECT(message_id) SELECT(user_id)',
      insights: 'SELECT(user_id)',
      langgraph_checkpoints: 'INSERT SELECT(checkpoint_id) SELECT(namespace_key) SELECT(saved_at) SELECT(seq)',
      langgraph_item_texts: 'SELECT(item_id) SELECT(ordinal)',
      langgraph_item_vectors: 'SELECT(item_id) SELECT(model) SELECT(ordinal) SELECT(user_id)',
      langgraph_items: 'SELECT(expires_at) SELECT(item_id) SELECT(user_id) UPDATE(expires_at)',
      langgraph_logins: 'INSERT SELECT UPDATE(max_bytes)',
      langgraph_namespaces:
        'SELECT(bytes) SELECT(checkpoint_ns) SELECT(delta_bytes) SELECT(namespace_key) SELECT(seq) SELECT(thread_key) SELECT(whole_bytes) SELECT(whole_seq) UPDATE(bytes) UPDATE(delta_bytes) UPDATE(seq) UPDATE(updated_at) UPDATE(whole_bytes) UPDATE(whole_seq)',
      langgraph_threads: 'SELECT(thread_id) SELECT(thread_key) SELECT(user_id) UPDATE(user_id)',
      langgraph_writes:
        'INSERT SELECT SELECT(namespace_key) UPDATE(body) UPDATE(channel) UPDATE(task_path) UPDATE(type)',
      lexical_postings: 'SELECT(user_id)',
      lexical_units: 'SELECT(user_id)',
      maintenance_jobs: 'INSERT SELECT UPDATE',
      memories:
        'SELECT(deleted_at) SELECT(deleted_by) SELECT(expires_at) SELECT(id) SELECT(importance) SELECT(kept_apart) SELECT(normalized_hash) SELECT(pinned) SELECT(purge_at) SELECT(quarantine_reason) SELECT(reranked_at) SELECT(revision) SELECT(state) SELECT(superseded_by) SELECT(type) SELECT(updated_at) SELECT(user_id) SELECT(valid_to) UPDATE(kept_apart) UPDATE(reranked_at) UPDATE(updated_at)',
      memory_access: 'SELECT(last_accessed_at) SELECT(memory_id)',
      memory_embeddings: 'SELECT(memory_id) SELECT(model) SELECT(user_id)',
      memory_sources:
        'SELECT(batch_id) SELECT(memory_id) SELECT(message_id) SELECT(said_at) SELECT(user_id) UPDATE(quote)',
      messages:
        'SELECT(batch_id) SELECT(content) SELECT(conversation_id) SELECT(echo_of) SELECT(expires_at) SELECT(forgotten_at) SELECT(hidden_at) SELECT(id) SELECT(role) SELECT(said_at) UPDATE(content) UPDATE(echo_of) UPDATE(expires_at) UPDATE(forgotten_at) UPDATE(hidden_at)',
      mind_run_changes:
        'SELECT(change) SELECT(changed_at) SELECT(memory_ids) SELECT(run_id) SELECT(state) SELECT(user_id)',
      mind_runs: 'SELECT(ended_at) SELECT(id) SELECT(state) SELECT(subject_id) SELECT(user_id) UPDATE(state)',
      mind_watermarks: 'SELECT(subject_id)',
      operator_keys: 'SELECT',
      outbox: 'DELETE SELECT UPDATE',
      reconciliations: 'SELECT(batch_id)',
      relations: 'SELECT(from_id) SELECT(relation_type) SELECT(strength) SELECT(to_id)',
      reservations: 'SELECT UPDATE(batch_id) UPDATE(expires_at) UPDATE(user_id)',
      schema_migrations: 'SELECT',
      summaries: 'SELECT(conversation_id)',
      summary_sentences: 'SELECT(conversation_id)',
      tenants: 'INSERT SELECT UPDATE',
      thread_revisions: 'SELECT(user_id)',
      usage:
        'INSERT SELECT(batch_id) SELECT(cost_micro_usd) SELECT(day) SELECT(id) SELECT(provider) SELECT(user_id) UPDATE(batch_id) UPDATE(user_id)',
      user_contexts: 'SELECT(user_id)',
      users:
        'INSERT(chain_head) INSERT(chain_seq) INSERT(created_at) INSERT(erased_at) INSERT(pseudonym) INSERT(tenant_id) INSERT(user_id) SELECT(analyzer) SELECT(chain_head) SELECT(chain_seq) SELECT(created_at) SELECT(erased_at) SELECT(pseudonym) SELECT(subject_id) SELECT(user_id) UPDATE(analyzer) UPDATE(chain_head) UPDATE(chain_seq) UPDATE(created_at) UPDATE(erased_at) UPDATE(memory_count) UPDATE(subject_id) UPDATE(term_total) UPDATE(turn_count) UPDATE(turn_length)',
      vault_erasures:
        'INSERT(pseudonym) INSERT(requested_at) INSERT(subject_id) INSERT(tenant_id) SELECT(pseudonym) SELECT(receipt_id) SELECT(removed_at) SELECT(subject_id) UPDATE(receipt_id)',
      vault_notes: 'DELETE INSERT SELECT',
      vault_switch: 'INSERT SELECT UPDATE',
      webhook_deliveries: 'INSERT SELECT(occurred_at) SELECT(owner) SELECT(seq) SELECT(status) SELECT(webhook_key)',
      webhook_feeds:
        'INSERT SELECT(due_at) SELECT(last_seq) SELECT(lease_id) SELECT(leased_until) SELECT(owner) SELECT(webhook_key) UPDATE(due_at) UPDATE(last_seq) UPDATE(lease_id) UPDATE(leased_until)',
      webhooks: 'SELECT(disabled_at) SELECT(events) SELECT(failures) SELECT(paused_until) SELECT(webhook_key)',
      work: 'INSERT SELECT SELECT(subject_id) UPDATE',
    });
  });

  it('gives PUBLIC nothing', async () => {
    const rows = await fixture.queryAsSuperuser(
      `SELECT c.relname FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.relnamespace = 'annals'::regnamespace AND a.grantee = 0
       UNION ALL
       SELECT p.proname FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        WHERE p.pronamespace = 'annals'::regnamespace AND a.grantee = 0
       UNION ALL
       SELECT n.nspname FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'annals' AND a.grantee = 0`,
    );
    expect(rows).toEqual([]);
  });

  it('has services be ordinary: no superuser, no bypass, no members, nothing owned, nothing created', async () => {
    expect(
      await fixture.queryAsSuperuser(
        `SELECT rolname, rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
                (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS member_of,
                (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owned_tables,
                has_schema_privilege(r.oid, 'annals', 'CREATE') AS creates
           FROM pg_roles r WHERE rolname IN ('annals_app', 'annals_definer') ORDER BY 1`,
      ),
    ).toEqual(
      ['annals_app', 'annals_definer'].map((rolname) => ({
        rolname,
        rolcanlogin: rolname === 'annals_app',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        member_of: 0,
        owned_tables: 0,
        creates: false,
      })),
    );
  });

  it('runs every function across tenants as the definer with a fixed search path, for services only', async () => {
    const rows = await fixture.queryAsSuperuser<Record<string, unknown>>(
      `SELECT p.proname, p.prosecdef, p.proowner::regrole::text AS owner, p.proconfig,
              (SELECT array_agg(a.grantee::regrole::text ORDER BY 1) FROM aclexplode(p.proacl) a
                WHERE a.grantee <> p.proowner) AS callers
         FROM pg_proc p WHERE p.pronamespace = 'annals'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(5);
    const notForServices = new Set([
      // Operators call these, and give logins the first one (docs/reference/langgraph.md#saving-directly).
      'save_langgraph',
      'add_langgraph_login',
      'remove_langgraph_login',
      // Functions of the schema call it.
      'note_webhook_events',
    ]);
    expect(rows.filter(({ proname }) => notForServices.has(proname as string))).toHaveLength(notForServices.size);
    for (const row of rows) {
      expect(row).toMatchObject({
        // With the rights of who calls it, so that the policies of services apply.
        prosecdef: row['proname'] !== 'save_langgraph_batch',
        owner: 'annals_definer',
        proconfig: expect.arrayContaining(['search_path=pg_catalog, pg_temp']),
        callers: notForServices.has(row['proname'] as string) ? null : ['annals_app'],
      });
    }
  });

  it('answers ids and figures across tenants, never a column that holds words of a person', async () => {
    const rows = await fixture.queryAsSuperuser<{ name: string; answers: string }>(
      `SELECT proname AS name, pg_get_function_result(oid) AS answers FROM pg_proc
        WHERE pronamespace = 'annals'::regnamespace`,
    );
    const words = /\b(content|quote|answer|items|rationale|response|error_message|meta)\b/;
    expect(rows.filter((row) => words.test(row.answers))).toEqual([]);
  });
});

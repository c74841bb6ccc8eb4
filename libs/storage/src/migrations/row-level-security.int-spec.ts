import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addDueBatch } from '../fixtures/post.fixture.js';
import { sqlState, UNIQUE_VIOLATION } from '../database/errors.js';
import type { Tx } from '../database/transaction.js';
import { TENANT_TABLES } from './tenant-tables.fixture.js';

const INSUFFICIENT_PRIVILEGE = '42501';
const NOT_NULL_VIOLATION = '23502';

const stateOf = (attempt: Promise<unknown>) => attempt.then(() => undefined, sqlState);

describe('row-level security', () => {
  let fixture: StorageFixture;
  let mine: string;
  let theirs: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    mine = await fixture.addTenant();
    theirs = await fixture.addTenant();
    for (const tenant of [mine, theirs]) {
      await addDueBatch(fixture, tenant);
      await fixture.inTenant(tenant, (tx) => fillEveryTable(tx, fixture));
      // Services do not add logins.
      await fixture.queryAsSuperuser(
        'INSERT INTO langgraph_logins (tenant_id, login, max_bytes, added_at) VALUES ($1, $2, 1, now())',
        [tenant, `login of ${tenant}`],
      );
      await fixture.queryAsSuperuser(
        'INSERT INTO vault_erasures (tenant_id, subject_id, pseudonym, requested_at) VALUES ($1, $1, $2, now())',
        [tenant, `pseudonym of ${tenant}`],
      );
    }
  });
  afterAll(() => fixture.close());

  it('shows a statement without WHERE the rows of its tenant only', async () => {
    for (const table of TENANT_TABLES) {
      const rows = await fixture.inTenant(mine, (tx) => tx.query(`SELECT DISTINCT tenant_id FROM ${table}`));
      expect({ table, rows }).toEqual({ table, rows: [{ tenant_id: mine }] });
    }
  });

  it('shows nothing when no tenant is set', async () => {
    const app = await fixture.openAnother();
    for (const table of TENANT_TABLES) {
      const rows = await app.inTenant(mine, async (tx) => {
        await tx.query("SELECT set_config('annals.tenant', '', true)");
        return tx.query(`SELECT tenant_id FROM ${table}`);
      });
      expect({ table, rows }).toEqual({ table, rows: [] });
    }
  });

  it('refuses a row when no tenant is set', async () => {
    const attempt = fixture.inTenant(mine, async (tx) => {
      await tx.query("SELECT set_config('annals.tenant', '', true)");
      await tx.execute("INSERT INTO thread_revisions (user_id, thread_id, rev) VALUES ('ada', 'new', 1)");
    });
    expect(await stateOf(attempt)).toMatch(new RegExp(`${NOT_NULL_VIOLATION}|${INSUFFICIENT_PRIVILEGE}`));
  });

  it('refuses to write a row of another tenant, and to give one away', async () => {
    const insert = fixture.inTenant(mine, (tx) =>
      tx.execute('INSERT INTO thread_revisions (tenant_id, user_id, thread_id, rev) VALUES ($1, $2, $2, 1)', [
        theirs,
        'new',
      ]),
    );
    expect(await stateOf(insert)).toBe(INSUFFICIENT_PRIVILEGE);
    const give = fixture.inTenant(mine, (tx) => tx.execute('UPDATE thread_revisions SET tenant_id = $1', [theirs]));
    expect(await stateOf(give)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('changes and deletes nothing of another tenant, even when told to', async () => {
    const [changed, deleted] = await fixture.inTenant(mine, async (tx) => [
      await tx.execute('UPDATE memories SET revision = revision + 1 WHERE tenant_id = $1', [theirs]),
      await tx.execute('DELETE FROM lexical_postings WHERE tenant_id = $1', [theirs]),
    ]);
    expect([changed, deleted]).toEqual([0, 0]);
  });

  it.each(['messages', 'memory_sources', 'relations', 'change_log', 'history', 'events', 'usage'])(
    'lets services only add to %s',
    async (table) => {
      const attempt = (sql: string) => stateOf(fixture.inTenant(mine, (tx) => tx.execute(sql)));
      expect(await attempt(`UPDATE ${table} SET tenant_id = tenant_id`)).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await attempt(`DELETE FROM ${table}`)).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await attempt(`TRUNCATE ${table}`)).toBe(INSUFFICIENT_PRIVILEGE);
    },
  );

  it.each(['deployment_budgets', 'budget_epochs'])('lets services only read %s', async (table) => {
    const attempt = (sql: string) => stateOf(fixture.inTenant(mine, (tx) => tx.execute(sql)));
    expect(await attempt(`SELECT FROM ${table}`)).toBeUndefined();
    expect(await attempt(`DELETE FROM ${table}`)).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await attempt(`INSERT INTO ${table} DEFAULT VALUES`)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each(['operator_keys', 'schema_migrations', 'budget_alerts', 'vault_notes', 'vault_switch'])(
    'keeps services away from %s',
    async (table) => {
      expect(await stateOf(fixture.inTenant(mine, (tx) => tx.query(`SELECT * FROM ${table}`)))).toBe(
        INSUFFICIENT_PRIVILEGE,
      );
    },
  );

  it('forgets the tenant with the transaction', async () => {
    const app = await fixture.openAnother({ poolSize: 1 });
    await app.inTenant(mine, (tx) => tx.query('SELECT FROM users'));
    const setting = ['annals.tenant', true];
    const [row] = await app.callAcrossTenants("find_tenant('x'), current_setting", setting);
    expect(row).toMatchObject({ current_setting: '' });
  });

  it('lets two tenants use the same names for everything', async () => {
    const rows = await fixture.queryAsSuperuser<{ tenants: string }>(
      `SELECT count(DISTINCT tenant_id) AS tenants FROM memories WHERE user_id = 'ada' AND normalized_hash = 'hash'`,
    );
    expect(rows).toEqual([{ tenants: '2' }]);
  });

  it('keeps one current memory of the same words, and any number of former ones', async () => {
    const add = (state: string, validTo: Date | null) =>
      fixture.inTenant(mine, (tx) => insertMemory(tx, fixture.ids.next(), state, validTo));
    expect(await stateOf(add('active', null))).toBe(UNIQUE_VIOLATION);
    expect(await stateOf(add('active', new Date(fixture.clock.now())))).toBeUndefined();
    expect(await stateOf(add('soft_deleted', null))).toBeUndefined();
    expect(await stateOf(add('quarantined', null))).toBeUndefined();
    expect(await stateOf(add('quarantined', null))).toBe(UNIQUE_VIOLATION);
  });
});

function insertMemory(tx: Tx, id: string, state: string, validTo: Date | null): Promise<number> {
  return tx.execute(
    `INSERT INTO memories (id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
                           importance, confidence, valid_from, valid_to, recorded_at, updated_at)
     VALUES ($1, 'ada', 'facts', 'semantic', 'words', 'hash', 'v1', $2, 'manual', 3, 0.5, $3, $4, $3, $3)`,
    [id, state, new Date(0), validTo],
  );
}

/** One row in each table that a post has not filled. */
async function fillEveryTable(tx: Tx, fixture: StorageFixture): Promise<void> {
  const at = new Date(0);
  const [memory, other] = [fixture.ids.next(), fixture.ids.next()];
  await insertMemory(tx, memory, 'active', null);
  await insertMemory(tx, other, 'soft_deleted', null);
  const [message] = await tx.query<{ id: string; conversation_id: string; batch_id: string }>(
    'SELECT id, conversation_id, batch_id FROM messages',
  );
  const { id, conversation_id, batch_id } = message!;
  const hash = Buffer.alloc(32);
  const rows: [string, Record<string, unknown>][] = [
    ['api_keys', { id: other, name: 'k', key_hash: hash, prefix: 'k', scopes: ['query'], created_at: at }],
    [
      'reconciliations',
      {
        batch_id,
        round: 1,
        user_id: 'ada',
        provider: 'p',
        model: 'm',
        prompt_version: 'v',
        shown: '[]',
        answer: 'a',
        created_at: at,
      },
    ],
    ['extractions', { batch_id, user_id: 'ada', provider: 'p', model: 'm', items: '[]', created_at: at }],
    [
      'memory_sources',
      {
        memory_id: memory,
        message_id: id,
        conversation_id,
        user_id: 'ada',
        thread_id: 't',
        role: 'user',
        quote: 'q',
        said_at: at,
      },
    ],
    ['memory_embeddings', { user_id: 'ada', model: 'm', memory_id: memory, content_hash: hash, narrow: '[1,2]' }],
    ['lexical_units', { user_id: 'ada', unit: 0, memory_id: memory, length: 1 }],
    ['lexical_postings', { user_id: 'ada', kind: 'memory', term: 'word', segment: 0, entries: hash.subarray(0, 8) }],
    ['memory_access', { memory_id: memory, last_accessed_at: at, access_count: 1 }],
    ['relations', { id: other, user_id: 'ada', from_id: memory, to_id: other, strength: 1, created_at: at }],
    ['thread_revisions', { user_id: 'ada', thread_id: 't', rev: 1 }],
    [
      'change_log',
      { user_id: 'ada', thread_id: 't', rev: 1, n: 0, memory_id: memory, event: 'created', category: 'c', ts: at },
    ],
    [
      'history',
      { user_id: 'ada', seq: 1, id: other, memory_id: memory, event: 'ADD', content_hmac: hash, hash, ts: at },
    ],
    ['energy_meters', { level_milli: 1, updated_at: at }],
    ['energy_usage', { day: '2026-01-05', kind: 'insights', consumed_milli: 1, calls: 1 }],
    ['energy_polls', { key_id: other, consumed_milli: 1, polled_at: at }],
    [
      'mind_runs',
      { id: other, kind: 'insights', subject_id: other, trigger: 'batch', is_dry_run: false, started_at: at },
    ],
    [
      'mind_run_changes',
      {
        run_id: other,
        ordinal: 1,
        user_id: 'ada',
        change: 'link',
        state: 'planned',
        reason: 'related',
        memory_ids: [memory, other],
        revisions_before: [1, 1],
        changed_at: at,
      },
    ],
    ['consolidation_fingerprints', { user_id: 'ada', fingerprint: 'ab', expires_at: at }],
    ['consolidation_pairs', { user_id: 'ada', day: '2026-01-05', pairs: 1 }],
    ['consolidation_tokens', { day: '2026-01-05', tokens: 1 }],
    ['insights', { memory_id: memory, user_id: 'ada', run_id: other, is_grounded: true, tags: [] }],
    ['insight_grounds', { memory_id: memory, ordinal: 0, user_id: 'ada', message_id: id }],
    ['mind_watermarks', { subject_id: other, kind: 'insights', updated_at: at }],
    [
      'summaries',
      {
        id: other,
        conversation_id,
        tier: 'L3',
        position: 0,
        level: 'BRIEF',
        kind: 'conversation',
        recipe: 'r',
        from_seq: 0,
        to_seq: 0,
        covered_tokens: 1,
        covered_messages: 1,
        fingerprint: 'f',
        tokens: 1,
        provider: 'local',
        last_said_at: at,
        created_at: at,
      },
    ],
    ['summary_sentences', { summary_id: other, ordinal: 0, conversation_id, content: 'c', message_ids: [id] }],
    ['apps', { app_id: 'p', name: 'n', created_at: at, updated_at: at }],
    [
      'app_memories',
      {
        id: other,
        app_id: 'p',
        user_id: 'ada',
        conversation_id,
        as_of_seq: 0,
        content: 'c',
        state: 'active',
        provider: 'local',
        created_at: at,
        updated_at: at,
      },
    ],
    ['app_memory_sources', { app_memory_id: other, message_id: id, conversation_id, user_id: 'ada' }],
    ['events', { id: other, node: 'n', op: 'o', status: 'ok', ts: at }],
    [
      'usage',
      {
        id: other,
        operation: 'embedding',
        provider: 'p',
        model: 'm',
        input_tokens: 1,
        output_tokens: 0,
        cost_micro_usd: 1,
        estimated: false,
        day: '2026-01-05',
        ts: at,
      },
    ],
    [
      'reservations',
      {
        id: other,
        operation: 'extraction',
        provider: 'p',
        model: 'm',
        amount_micro_usd: 1,
        day: '2026-01-05',
        created_at: at,
        expires_at: at,
      },
    ],
    [
      'call_answers',
      { call_id: other, batch_id, provider: 'p', model: 'm', answer: 'a', problem: 'b', created_at: at },
    ],
    ['budgets', { daily_limit_micro_usd: 1, updated_at: at }],
    [
      'erasure_receipts',
      { id: other, user_id: 'ada', erased_at: at, counts: '{}', chain_seq: 1, chain_head: hash, signature: hash },
    ],
    ['user_contexts', { user_id: 'ada', id: other, revision: 1, fields: '{}', updated_at: at }],
    [
      'context_proposals',
      {
        id: other,
        user_id: 'ada',
        field: 'city',
        value_key: 'k',
        state: 'pending',
        message_ids: [id],
        said_at: at,
        created_at: at,
        expires_at: at,
      },
    ],
    [
      'checkpoints',
      {
        user_id: 'ada',
        thread_id: 't',
        version: 1,
        oldest_version: 1,
        whole_version: 1,
        whole_bytes: 1,
        delta_bytes: 0,
        bytes: 1,
        created_at: at,
        updated_at: at,
      },
    ],
    ['checkpoint_versions', { user_id: 'ada', thread_id: 't', version: 1, whole_version: 1, body: hash, saved_at: at }],
    [
      'langgraph_items',
      {
        item_id: id,
        user_id: 'ada',
        path: 'a.',
        key: 'k',
        namespace: ['a'],
        value: '{}',
        value_bytes: 2,
        words: '',
        created_at: at,
        updated_at: at,
      },
    ],
    ['langgraph_item_texts', { item_id: id, ordinal: 0, text: 't' }],
    ['langgraph_item_vectors', { item_id: id, model: 'm', ordinal: 0, user_id: 'ada', vector: '[1,2]' }],
    ['langgraph_threads', { thread_key: id, thread_id: 't', user_id: 'ada', created_at: at }],
    [
      'langgraph_namespaces',
      {
        namespace_key: id,
        thread_key: id,
        checkpoint_ns: '',
        seq: 1,
        whole_seq: 1,
        whole_bytes: 1,
        delta_bytes: 0,
        bytes: 1,
        updated_at: at,
      },
    ],
    [
      'langgraph_checkpoints',
      {
        namespace_key: id,
        seq: 1,
        whole_seq: 1,
        checkpoint_id: 'c',
        metadata: '{}',
        bytes: 1,
        body: hash,
        saved_at: at,
      },
    ],
    [
      'langgraph_writes',
      {
        namespace_key: id,
        checkpoint_id: 'c',
        task_id: 't',
        idx: 0,
        task_path: '',
        channel: 'messages',
        type: 'json',
        body: hash,
      },
    ],
    ['dry_runs', { id, request: '{}', created_at: at, expires_at: at }],
    [
      'webhooks',
      {
        webhook_key: id,
        id: 'hook',
        url: 'https://x',
        events: [],
        include: [],
        salt: id,
        created_at: at,
        updated_at: at,
      },
    ],
    ['idempotency_keys', { route: 'r', key: 'k', request_hmac: hash, status: 200, response: '{}', created_at: at }],
  ];
  for (const [table, row] of rows) {
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await tx.execute(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  }
  // Services add no events themselves.
  await tx.query('SELECT test_webhook($1, $1, $2)', [id, at]);
}

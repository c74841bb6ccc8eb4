import type { ConversationTrial } from '@annals/contracts';
import {
  type AnnalsSystem,
  ApiClient,
  type FakeModels,
  startFakeModels,
  startSystem,
  waitUntilDone,
} from '@annals/testing';

const TRIED = { query: { dry_run: 'true' } } as const;
/** What stays as it is. */
const TABLES = [
  'users',
  'conversations',
  'messages',
  'batches',
  'extractions',
  'call_answers',
  'memories',
  'history',
  'idempotency_keys',
  'thread_revisions',
  'dry_runs',
];

const said = (...contents: string[]) =>
  contents.map((content, index) => ({ id: `m${index}`, role: 'user' as const, content }));

describe('a dry run of a conversation', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startSystem();
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const countRows = async (): Promise<Record<string, number>> => {
    const counts = TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ');
    const ofWork = `(SELECT count(*)::int FROM work WHERE kind = 'dry_run') AS work`;
    const [row] = await system.inspect((query) => query<Record<string, number>>(`SELECT ${counts}, ${ofWork}`));
    return row!;
  };
  const tryOut = async (body: object): Promise<ConversationTrial> => {
    const { dry_run: trial } = await client.must('postConversation', { ...TRIED, body: body as never });
    return trial!;
  };
  const contentsOf = (trial: ConversationTrial) => trial.memories.map(({ outcome, content }) => [outcome, content]);

  it('says what would be remembered, which is what a post remembers, and writes nothing', async () => {
    const body = { user_id: 'ada', thread_id: 't', messages: said('I moved to Lisbon.', 'I am allergic to peanuts.') };
    const before = await countRows();
    const answer = await client.must('postConversation', { ...TRIED, body });
    expect(answer).toMatchObject({ thread_id: 't', batch_ids: [], accepted: 2, duplicates: 0 });
    const { memories, rejected, cost } = answer.dry_run!;
    expect(await countRows()).toEqual(before);
    expect(memories).toMatchObject([
      {
        outcome: 'insert',
        content: 'The user moved to Lisbon.',
        evidence: [{ message: 0, quote: 'I moved to Lisbon.' }],
      },
      { outcome: 'insert', evidence: [{ message: 1 }], memory_id: null, supersedes: [], reason: null },
    ]);
    expect({ rejected, cost }).toMatchObject({ rejected: 0, cost: { micro_usd: 0, provider: 'local' } });

    const posted = await client.must('postConversation', { body: { ...body, flush: true } });
    await waitUntilDone(client, posted.batch_ids, { explain: () => system.lastLines });
    const { items } = await client.must('listMemories', { query: { user_id: 'ada' } });
    expect(items.map(({ content }) => content).toSorted()).toEqual(memories.map(({ content }) => content).toSorted());
  });

  it('compares with what is there: duplicates, what would end, and messages that were posted before', async () => {
    const post = async (content: string, id: string) => {
      const body = { user_id: 'bob', thread_id: 't', flush: true, messages: [{ id, role: 'user' as const, content }] };
      const { batch_ids: ids } = await client.must('postConversation', { body });
      await waitUntilDone(client, ids, { explain: () => system.lastLines });
    };
    await post('I live in Berlin.', 'a');
    await post('I like green tea.', 'b');
    const { items } = await client.must('listMemories', { query: { user_id: 'bob' } });
    const idOf = (part: string) => items.find(({ content }) => content.includes(part))!.id;
    const before = await countRows();
    const trial = await tryOut({
      user_id: 'bob',
      thread_id: 'u',
      messages: said('I live in Munich.', 'I like green tea.'),
    });
    expect(trial.memories.find(({ content }) => content.includes('Munich'))).toMatchObject({
      outcome: 'supersede',
      supersedes: [idOf('Berlin')],
    });
    expect(['update', 'duplicate']).toContain(trial.memories.find(({ content }) => content.includes('tea'))!.outcome);
    expect(trial.memories.find(({ content }) => content.includes('tea'))!.memory_id).toBe(idOf('tea'));

    const again = {
      user_id: 'bob',
      thread_id: 't',
      messages: [{ id: 'a', role: 'user', content: 'I live in Berlin.' }],
    };
    const known = await client.must('postConversation', { ...TRIED, body: again as never });
    expect(known).toMatchObject({ accepted: 0, duplicates: 1, dry_run: { memories: [] } });
    expect(await countRows()).toEqual(before);
  });

  it('redacts, and refuses what a post refuses', async () => {
    const answer = await client.must('postConversation', {
      ...TRIED,
      body: { user_id: 'cid', messages: said('My e-mail address is cid@example.com.') },
    });
    expect(answer.redactions).toEqual({ EMAIL: 1 });
    expect(JSON.stringify(answer)).not.toContain('cid@example.com');
    const refused = await client.call('postConversation', {
      ...TRIED,
      body: { user_id: 'cid', messages: [] },
    });
    expect(refused.status).toBe(400);
    const strange = await client.call('postConversation', {
      query: { dry_run: 'maybe' } as never,
      body: { user_id: 'cid', messages: said('Hello.') },
    });
    expect(strange).toMatchObject({ status: 400, problem: { errors: [{ path: 'query.dry_run' }] } });
  });

  it.each([
    ['that may not read', { scopes: ['ingest' as const] }],
    ['that is bound to an agent', { scopes: ['ingest' as const, 'query' as const], agent_id: 'planner' }],
  ])('answers a key %s as if nothing was stored', async (_which, rights) => {
    const { key } = await client.must('createKey', { body: { name: 'posts', ...rights } });
    const poster = new ApiClient(() => system.nextUrl(), key!);
    const body = { user_id: 'bob', thread_id: 'w', messages: said('I live in Munich.', 'I like green tea.') };
    const { dry_run: trial } = await poster.must('postConversation', { ...TRIED, body });
    const told = trial!.memories.map(({ outcome, memory_id: id, supersedes }) => [outcome, id, supersedes]);
    expect(told).toEqual([
      ['insert', null, []],
      ['insert', null, []],
    ]);
  });

  it('keeps the words out of queues and logs, and the row is gone with the answer', async () => {
    await tryOut({ user_id: 'dot', messages: said('I collect velmorphic stamps.') });
    expect(system.lastLines).not.toContain('velmorphic');
    const [row] = await system.inspect((query) =>
      query<{ count: number }>('SELECT count(*)::int AS count FROM dry_runs'),
    );
    expect(row!.count).toBe(0);
  });

  it('divides what would be several batches', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => `I have been to city number ${index}.`);
    const trial = await tryOut({
      user_id: 'eve',
      messages: [...said(...messages), { role: 'user', content: 'I own a boat.' }],
    });
    expect(contentsOf(trial)).toContainEqual(['insert', 'The user owns a boat.']);
  });
});

describe('a dry run with a model', () => {
  let fake: FakeModels;
  let system: AnnalsSystem;
  let client: ApiClient;
  beforeAll(async () => {
    fake = await startFakeModels();
    system = await startSystem({
      env: {
        MEMORY_LLM_PRIMARY: 'claude',
        MEMORY_LLM_CLAUDE_API_KEY: 'key-of-a-fake-claude',
        MEMORY_LLM_CLAUDE_BASE_URL: fake.anthropicUrl,
      },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    await fake?.close();
  });
  afterEach(() => fake.behave(undefined));

  const body = { user_id: 'ada', messages: said('I moved to Lisbon.') };
  const spent = async () => {
    const [row] = await system.inspect((query) =>
      query<{ cost: number; calls: number }>(
        `SELECT coalesce(sum(cost_micro_usd), 0)::int AS cost, count(*)::int AS calls FROM usage WHERE batch_id IS NULL`,
      ),
    );
    return row!;
  };

  it('is charged to the budget, and says what it has cost', async () => {
    const { dry_run: trial } = await client.must('postConversation', { ...TRIED, body });
    expect(trial!.memories).toMatchObject([{ outcome: 'insert' }]);
    const { cost, calls } = await spent();
    expect(calls).toBe(1);
    expect(trial!.cost).toMatchObject({ micro_usd: cost, provider: 'claude' });
    expect(cost).toBeGreaterThan(0);
    expect(trial!.cost.tokens.input).toBeGreaterThan(0);
    const [row] = await system.inspect((query) =>
      query<{ rows: number }>(
        'SELECT (SELECT count(*) FROM call_answers)::int + (SELECT count(*) FROM messages)::int AS rows',
      ),
    );
    expect(row!.rows).toBe(0);
  });

  it('refuses a call that the budget does not allow, and spends nothing', async () => {
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name: 'without-money' } });
    const poor = client.withKey(key!);
    await poor.must('putBudget', { body: { daily_limit_micro_usd: 1 } });
    const before = await spent();
    const answer = await poor.call('postConversation', { ...TRIED, body });
    expect(answer).toMatchObject({ status: 402, problem: { code: 'budget_exceeded' } });
    expect(await spent()).toEqual(before);
  });

  it('says that the model gave no usable answer, and has charged for it', async () => {
    fake.behave(() => ({ kind: 'answer', text: 'Hm.' }));
    const answer = await client.call('postConversation', { ...TRIED, body });
    expect(answer).toMatchObject({ status: 502, problem: { code: 'dry_run_failed' } });
    const [row] = await system.inspect((query) =>
      query<{ rows: number }>('SELECT count(*)::int AS rows FROM dry_runs'),
    );
    expect(row!.rows).toBe(0);
  });
});

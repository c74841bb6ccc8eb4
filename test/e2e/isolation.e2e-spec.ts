import {
  type AnnalsSystem,
  ApiClient,
  asTenant,
  type OpenAiChatServer,
  startOpenAiChatServer,
  startSystem,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { makeRequests, type OpenApi } from './openapi-requests.js';

/** Names that both tenants use, and a canary word that only the first may see. */
const USER = 'shared-user';
const THREAD = 'shared-thread';
const APP = 'shared-app';
const HOOK = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d84';
const GRAPH = { checkpoint_id: 'shared-checkpoint', task_id: 'shared-task' };
const CANARY = 'zanzibarquartz';

describe('isolation of tenants', () => {
  let upstream: OpenAiChatServer;
  let system: AnnalsSystem;
  let nobody: ApiClient;
  let owner: ApiClient;
  let stranger: ApiClient;
  let document: OpenApi;
  /** Every id that belongs to the owner. */
  let ids: string[];
  let tenants: { owner: string; stranger: string };

  const explain = () => system.lastLines;
  const conversation = (content: string) => ({
    user_id: USER,
    thread_id: THREAD,
    app_id: APP,
    flush: true,
    messages: [{ id: 'm1', role: 'user' as const, content }],
  });

  beforeAll(async () => {
    upstream = await startOpenAiChatServer();
    const chat = { ANNALS_CHAT_UPSTREAM_URL: upstream.origin, ANNALS_CHAT_UPSTREAM_FREE: 'true' };
    system = await startSystem({ minds: 1, env: { ANNALS_MINDS: 'on', ...chat } });
    nobody = new ApiClient(() => system.nextUrl(), null);
    const operator = nobody.withKey(system.operatorKey);
    const [first, second] = [
      await operator.must('createTenant', { body: { name: 'owner' } }),
      await operator.must('createTenant', { body: { name: 'stranger' } }),
    ];
    tenants = { owner: first.id, stranger: second.id };
    owner = nobody.withKey(first.key!);
    stranger = nobody.withKey(second.key!);
    const accepted = await owner.must('postConversation', {
      body: conversation(`I collect ${CANARY} stones. I hate ${CANARY} soup. My name is Zanzibar.`),
    });
    const others = await stranger.must('postConversation', { body: conversation('I play tennis.') });
    await waitUntilDone(owner, accepted.batch_ids, { explain });
    await waitUntilDone(stranger, others.batch_ids, { explain });
    const byHand = await owner.must('addMemory', {
      body: { user_id: USER, content: `The user has a dog called ${CANARY}.`, category: 'profile' },
    });
    await owner.must('deleteMemory', { params: { id: byHand.memory.id } });
    const key = await owner.must('createKey', { body: { name: CANARY, scopes: ['query'] } });
    await owner.must('putUserContext', { params: { user_id: USER }, body: { city: CANARY } });
    await owner.must('putCheckpoint', {
      params: { user_id: USER, thread_id: THREAD },
      body: { data: { note: CANARY } },
    });
    await owner.must('putLangGraphCheckpoint', {
      params: { thread_id: THREAD, checkpoint_id: GRAPH.checkpoint_id },
      body: { user_id: USER, parent_id: null, metadata: { source: CANARY }, state: CANARY },
    });
    await owner.must('putLangGraphWrites', {
      params: { thread_id: THREAD, ...GRAPH },
      body: { user_id: USER, writes: [{ idx: 0, channel: CANARY, type: 'json', value: CANARY }] },
    });
    await owner.must('batchLangGraphStore', {
      body: {
        user_id: USER,
        operations: [{ op: 'put', namespace: [THREAD], key: THREAD, value: { note: CANARY }, index: ['note'] }],
      },
    });
    await owner.must('putApp', { params: { app_id: APP }, body: { name: CANARY, shared: true } });
    const proposals = await owner.must('listProposals', { params: { user_id: USER } });
    const advice = `To polish ${CANARY} stones, keep them in the tumbler for nine days, wash them, and repeat it with finer sand. `;
    const answer = await owner.must('postConversation', {
      body: { ...conversation(''), messages: [{ id: 'm2', role: 'assistant', content: advice.repeat(5) }] },
    });
    await waitUntilDone(owner, answer.batch_ids, { explain });
    await owner.must('endConversation', { params: { id: accepted.conversation_id } });
    const summaryOf = `/v1/threads/${THREAD}/summary?user_id=${USER}`;
    await waitUntil(async () => (await owner.send('GET', summaryOf)).status === 200, {
      describe: 'the conversation has a summary',
    });
    // Paused: nothing is sent to it.
    await owner.must('putWebhook', { body: { id: HOOK, url: `https://example.com/${CANARY}`, enabled: false } });
    await owner.must('addMemory', { body: { user_id: 'gone', content: 'The user likes tea.', category: 'profile' } });
    const receipt = await owner.must('eraseUser', { params: { user_id: 'gone' } });
    const run = await owner.must('startConsolidation', { body: { user_id: USER, dry_run: true } });
    await waitUntil(
      async () => (await owner.must('getConsolidationRun', { params: { id: run.run_id } })).state === 'done',
      { describe: 'the run is done' },
    );
    const { messages } = await owner.must('getConversation', { params: { id: accepted.conversation_id } });
    const { items } = await owner.must('listMemories', { query: { user_id: USER } });
    ids = [
      accepted.conversation_id,
      ...accepted.batch_ids,
      ...messages.map(({ id }) => id),
      ...items.map(({ id }) => id),
      ...proposals.items.map(({ id }) => id),
      byHand.memory.id,
      key.id,
      first.id,
      run.run_id,
      HOOK,
      receipt.id,
    ];
    document = JSON.parse((await nobody.send('GET', '/openapi.json')).text) as OpenApi;
  });
  afterAll(async () => {
    await system?.close();
    await upstream?.close();
  });

  const requests = () => makeRequests(document, { ids, user_id: USER, thread_id: THREAD, app_id: APP, ...GRAPH });
  /** All that the owner can see. */
  const takeSnapshot = async () => ({
    conversation: await owner.must('getConversation', { params: { id: ids[0]! } }),
    batch: await owner.must('getBatch', { params: { id: ids[1]! } }),
    active: await owner.must('listMemories', { query: { user_id: USER } }),
    deleted: await owner.must('listMemories', { query: { user_id: USER, state: 'soft_deleted' } }),
    keys: await owner.must('listKeys'),
    webhooks: await owner.must('listWebhooks'),
    receipt: await owner.must('getReceipt', { params: { id: ids.at(-1)! } }),
    context: await owner.must('getUserContext', { params: { user_id: USER } }),
    proposals: await owner.must('listProposals', { params: { user_id: USER } }),
    checkpoint: await owner.must('getCheckpoint', { params: { user_id: USER, thread_id: THREAD } }),
    checkpoints: await owner.must('listCheckpoints', { params: { user_id: USER } }),
    graphs: await owner.must('listLangGraphThreads'),
    graph: await owner.must('getLangGraphCheckpoint', { params: { thread_id: THREAD } }),
    items: await owner.must('batchLangGraphStore', {
      body: { user_id: USER, operations: [{ op: 'search', namespace_prefix: [] }, { op: 'statistics' }] },
    }),
    app: await owner.must('getApp', { params: { app_id: APP } }),
    summary: await owner.must('getThreadSummary', { params: { thread_id: THREAD }, query: { user_id: USER } }),
    answer: await owner.must('queryMemory', { body: { query: CANARY, filters: { user_id: USER } } }),
  });

  it('is tested with every operation of the OpenAPI document', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(new Set(requests().map(({ operation }) => operation))).toEqual(new Set(operations));
  });

  it('returns no row, id or content to another tenant on any route, and changes nothing', async () => {
    const before = await takeSnapshot();
    expect(JSON.stringify(before)).toContain(CANARY);
    expect(before.proposals.items).toHaveLength(1);
    const leaks: string[] = [];
    for (const { operation, method, path, body } of requests()) {
      const answer = await stranger.send(method, path, body === undefined ? {} : { body });
      const leaked = [CANARY, ...ids].filter((secret) => answer.text.includes(secret));
      if (leaked.length > 0 || answer.status >= 500)
        leaks.push(`${operation} (${path}): ${answer.status} ${answer.text}`);
      if (ids.some((id) => path.includes(id)) && answer.status < 400)
        leaks.push(`${operation} answered ${answer.status}`);
    }
    expect(leaks).toEqual([]);
    expect(await takeSnapshot()).toEqual(before);
  });

  it('returns the same response for an object of another tenant as for a missing one', async () => {
    const nothing = '01933b1e-6c2a-7d10-9c0e-5f1a2b3c4d5e';
    for (const { operation, method, path, body } of requests()) {
      const id = ids.find((each) => path.includes(each));
      if (id === undefined) continue;
      const [foreign, absent] = [
        await stranger.send(method, path, body === undefined ? {} : { body }),
        await stranger.send(method, path.replace(id, nothing), body === undefined ? {} : { body }),
      ];
      const plain = ({ text }: { text: string }) => text.replace(/"request_id":"[^"]*"/, '');
      expect([operation, foreign.status, plain(foreign)]).toEqual([operation, absent.status, plain(absent)]);
    }
  });

  it('allows the owner the same requests', async () => {
    const opened = new Set<string>();
    const reads = requests().filter(({ method }) => method === 'GET');
    for (const { operation, path } of reads) if ((await owner.send('GET', path)).status < 300) opened.add(operation);
    // Metrics are for a token of their own.
    const ofOperators = (name: string) => name.startsWith('GET /v1/operator/') || name === 'GET /metrics';
    expect([...opened].toSorted()).toEqual(
      [...new Set(reads.map(({ operation }) => operation))].filter((name) => !ofOperators(name)).toSorted(),
    );
  });

  it('separates equal names of two tenants', async () => {
    // The requests to all routes have erased the other tenant's user.
    await stranger.must('addMemory', {
      body: { user_id: USER, content: 'The user plays tennis.', category: 'preferences' },
    });
    const { items } = await stranger.must('listMemories', { query: { user_id: USER } });
    expect(items.map(({ content }) => content)).toContain('The user plays tennis.');
    expect(JSON.stringify(items)).not.toContain(CANARY);
  });

  it('limits a query without WHERE to one tenant under the role of the services', async () => {
    await system.inspect(async (query) => {
      const tables = await query<{ name: string }>(
        `SELECT format('annals.%I', table_name) AS name FROM information_schema.columns
          WHERE table_schema = 'annals' AND column_name = 'tenant_id' AND table_name <> 'tenants'`,
      );
      expect(tables.length).toBeGreaterThan(12);
      const [all] = await query<{ tenants: string }>('SELECT count(DISTINCT tenant_id) AS tenants FROM memories');
      expect(Number(all!.tenants)).toBeGreaterThan(1);
      for (const tenant of [tenants.owner, tenants.stranger]) {
        for (const { name } of tables) {
          const rows = await asTenant(query, tenant, (tx) => tx.query(`SELECT DISTINCT tenant_id FROM ${name}`));
          expect([name, rows]).toEqual([name, rows.length === 0 ? [] : [{ tenant_id: tenant }]]);
        }
        const memories = await asTenant(query, tenant, (tx) => tx.query('SELECT tenant_id FROM memories'));
        expect(memories.length).toBeGreaterThan(0);
      }
    });
  });

  it('leaves no row of a deleted tenant, and rejects its key', async () => {
    const operator = nobody.withKey(system.operatorKey);
    expect((await stranger.mustFail('deleteTenant', { params: { id: tenants.stranger } })).status).toBe(403);
    const { deleted } = await operator.must('deleteTenant', { params: { id: tenants.stranger } });
    expect(deleted.memories).toBeGreaterThan(0);
    expect((await stranger.mustFail('listMemories')).status).toBe(401);
    expect((await takeSnapshot()).conversation.messages).toHaveLength(2);
    await system.inspect(async (query) => {
      const rows = await query('SELECT 1 FROM memories WHERE tenant_id = $1', [tenants.stranger]);
      expect(rows).toEqual([]);
    });
  });
});

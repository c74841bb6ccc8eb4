import type { MemoryQueryAnswer, Problem, SummaryRestored, ThreadSummaries, TurnsRestored } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import { findSummarizedThread, loadSummarizableMessages, writeSummaries } from '@annals/storage';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('summaries of threads over HTTP', () => {
  let gateway: TestGateway;
  let fixture: MemoryFixture;

  beforeAll(async () => {
    gateway = await startGateway({ categories: { current: DEFAULT_CATEGORY_CONFIG } });
    fixture = await MemoryFixture.open(gateway, 'summaries');
  });
  afterAll(() => gateway?.close());

  const post = (user: string, thread: string, contents: readonly string[], rest = {}) =>
    gateway.send<{ conversation_id: string }>(fixture.key, 'POST', '/v1/conversations', {
      body: {
        user_id: user,
        thread_id: thread,
        messages: contents.map((content, index) => ({ id: `${content} ${index}`, role: 'user', content })),
        ...rest,
      },
    });
  /** Stores a summary of all messages, with a sentence for each, as the worker does. */
  const summarize = (user: string, thread: string, kind: 'conversation' | 'journal' = 'conversation') =>
    gateway.database.inTenant(fixture.tenantId, async (tx) => {
      const { conversationId } = (await findSummarizedThread(tx, user, thread))!;
      const messages = await loadSummarizableMessages(tx, conversationId, -1);
      const id = gateway.infrastructure.ids.next();
      const place = { tier: 'L3', position: 0, level: 'BRIEF', kind, recipe: 'r' } as const;
      const covered = { fromSeq: 0, toSeq: messages.at(-1)!.seq, coveredTokens: 100, coveredMessages: messages.length };
      await writeSummaries(tx, conversationId, {
        made: [
          {
            id,
            step: { ...place, ...covered, fingerprint: 'f', replaces: null },
            sentences: messages.map((message) => ({
              text: `The user said: ${message.content}.`,
              messageIds: [message.id],
            })),
            tokens: 12,
            provider: 'local',
            model: null,
            lastSaidAt: messages.at(-1)!.saidAt,
          },
        ],
        tombstones: [],
        now: gateway.infrastructure.clock.now(),
      });
      return id;
    });
  const read = <Body = ThreadSummaries>(thread: string, query: string, key = fixture.key) =>
    gateway.send<Body>(key, 'GET', `/v1/threads/${thread}/summary?${query}`);
  const ask = async (body: object, key = fixture.key) => (await fixture.queryMemory<MemoryQueryAnswer>(body, key)).body;

  it('serves what is stored with its sentences, as of a message, and says what to do without', async () => {
    await post('ada', 't', ['Tea is here', 'Milk is out']);
    const none = await read<Problem>('t', 'user_id=ada');
    expect(none.status).toBe(404);
    expect(none.body.detail).toContain('/v1/conversations/{id}/end');
    const id = await summarize('ada', 't');
    await post('ada', 't', ['Bread is on the way']);
    const { status, body } = await read('t', 'user_id=ada');
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: 'ada', thread_id: 't', last_seq: 2 });
    expect(body.summaries).toMatchObject([
      {
        id,
        level: 'L3',
        depth: 'BRIEF',
        state: 'live',
        text: 'The user said: Tea is here. The user said: Milk is out.',
        as_of_seq: 1,
        provider: 'local',
        compression: { covered_tokens: 100, summary_tokens: 12, ratio: 0.12, target_ratio: 0.2, meets_target: true },
      },
    ]);
    expect(body.summaries[0]!.sentences.map(({ message_ids }) => message_ids.length)).toEqual([1, 1]);
    expect((await read('t', 'user_id=ada&level=L1')).status).toBe(404);
    expect((await read('t', 'user_id=bob')).status).toBe(404);
    expect((await read<Problem>('t', 'level=L3')).body.errors).toMatchObject([{ path: 'query.user_id' }]);
  });

  it('lists tombstones on request and restores one', async () => {
    await post('ada', 'again', ['Tea is here']);
    const first = await summarize('ada', 'again');
    const second = await summarize('ada', 'again');
    expect((await read('again', 'user_id=ada')).body.summaries).toMatchObject([{ id: second }]);
    expect((await read('again', 'user_id=ada&tombstones=true&level=all')).body.summaries).toMatchObject([
      { id: second, state: 'live' },
      { id: first, state: 'tombstoned', replaced_by: second },
    ]);
    const restore = <Body>(summary_id: string) =>
      gateway.send<Body>(fixture.key, 'POST', '/v1/threads/again/summary/restore', {
        body: { user_id: 'ada', summary_id },
      });
    expect(await restore<Problem>(second)).toMatchObject({ status: 409, body: { code: 'summary_not_restorable' } });
    expect((await restore<SummaryRestored>(first)).body).toMatchObject({ summary_id: first, replaced: second });
    expect((await read('again', 'user_id=ada')).body.summaries).toMatchObject([{ id: first }]);
    expect((await restore(gateway.infrastructure.ids.next())).status).toBe(404);
    const turns = await gateway.send<TurnsRestored>(fixture.key, 'POST', '/v1/threads/again/turns/restore', {
      body: { user_id: 'ada' },
    });
    expect(turns.body).toMatchObject({ restored: 0 });
  });

  it('restores once for an Idempotency-Key, however often the request is sent', async () => {
    await post('ada', 'repeated', ['Tea is here']);
    const first = await summarize('ada', 'repeated');
    const second = await summarize('ada', 'repeated');
    const send = (idempotencyKey: string, what: string, rest = {}) =>
      gateway.send(fixture.key, 'POST', `/v1/threads/repeated/${what}/restore`, {
        body: { user_id: 'ada', ...rest },
        headers: { 'idempotency-key': idempotencyKey },
      });
    for (const [what, rest, result] of [
      ['summary', { summary_id: first }, { summary_id: first, replaced: second }],
      ['turns', {}, { restored: 0 }],
    ] as const) {
      const restored = await send(`restore-${what}`, what, rest);
      expect(restored).toMatchObject({ status: 200, body: result });
      const again = await send(`restore-${what}`, what, rest);
      expect(again).toMatchObject({ status: 200, body: restored.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
    expect(await send('restore-summary', 'summary', { summary_id: second })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await read('repeated', 'user_id=ada')).body.summaries).toMatchObject([{ id: first }]);
  });

  it('shows an agent the conversations that it began, and another user or tenant none', async () => {
    await post('ada', 'mine', ['Tea is here'], { agent_id: 'executor' });
    await post('ada', 'theirs', ['Milk is out'], { agent_id: 'planner' });
    await summarize('ada', 'mine');
    await summarize('ada', 'theirs');
    const { tenantId } = fixture;
    const agent = await gateway.makeKey({ tenantId, agentId: 'executor', scopes: ['query'] });
    expect((await read('mine', 'user_id=ada', agent)).status).toBe(200);
    expect((await read('theirs', 'user_id=ada', agent)).status).toBe(404);
    const include = { include: ['summary'], filters: { user_id: 'ada' } };
    expect((await ask({ ...include, thread_id: 'mine' }, agent)).summary).toMatchObject({ thread_id: 'mine' });
    expect((await ask({ ...include, thread_id: 'theirs' }, agent)).summary).toBeNull();
    const other = await gateway.makeKey({ tenantId, userId: 'bob', scopes: ['query'] });
    expect((await read('mine', '', other)).status).toBe(404);
    expect((await read('mine', 'user_id=ada', other)).status).toBe(403);
    const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('strangers'), scopes: ['query'] });
    expect((await read('mine', 'user_id=ada', stranger)).status).toBe(404);
    const categories = await gateway.makeKey({ tenantId, categories: ['goals'], scopes: ['query'] });
    expect((await read('mine', 'user_id=ada', categories)).status).toBe(403);
  });

  it('comes with a query that asks for it, and never among the answers', async () => {
    await post('kim', 'asked', ['Zephyr tea is here']);
    const id = await summarize('kim', 'asked');
    const query = { query: 'zephyr', filters: { user_id: 'kim', thread_id: 'asked' } };
    const plain = await ask(query);
    expect('summary' in plain).toBe(false);
    expect(plain.memories.map(({ type }) => type as string)).not.toContain('summary');
    expect(await ask({ ...query, include: ['summary'] })).toMatchObject({
      summary: { id, thread_id: 'asked', text: 'The user said: Zephyr tea is here.', as_of_seq: 0 },
    });
    for (const time of ['as_of', 'known_at']) {
      expect((await ask({ ...query, include: ['summary'], [time]: new Date().toISOString() })).summary).toBeNull();
    }
    const unnamed = await fixture.queryMemory<Problem>({
      query: 'tea',
      filters: { user_id: 'kim' },
      include: ['summary'],
    });
    expect(unnamed.body.errors).toMatchObject([{ path: 'body.thread_id' }]);
  });

  it('fills the recent activity of the context with summaries and the turns behind them', async () => {
    await post('mia', 'busy', ['Tea is here'], { agent_id: 'executor' });
    await summarize('mia', 'busy');
    await post('mia', 'busy', ['Bread is on the way'], { agent_id: 'executor' });
    const list = async (rest = {}, key = fixture.key) => {
      const { memories } = await ask({ filters: { user_id: 'mia' }, ...rest }, key);
      return memories.filter(({ category }) => category === 'recent_activity');
    };
    const activity = await list();
    expect(activity.map(({ type }) => type)).toEqual(['turn', 'summary']);
    expect(activity[0]!.text).toMatch(/^\[recent_activity\] user: Bread is on the way \(/u);
    expect(activity[1]!.text).toMatch(/^\[recent_activity\] The user said: Tea is here\. \(/u);
    expect(activity[1]!.sources).toMatchObject([{ external_id: 'Tea is here 0' }]);
    expect(await list({ agent: 'executor' })).toHaveLength(2);
    expect(await list({ agent: 'stylist' })).toEqual([]);
    expect(await list({ categories: ['goals'] })).toEqual([]);
    expect(await list({ filters: { user_id: 'mia', pinned: true } })).toEqual([]);
    expect(await list({ query: 'bread' })).toEqual([]);
    expect(await list({ budget_tokens: 30 })).toHaveLength(1);
    const { tenantId } = fixture;
    const agent = await gateway.makeKey({ tenantId, agentId: 'executor', scopes: ['query'] });
    expect(await list({}, agent)).toHaveLength(2);
    await post('mia', 'other', ['Milk is out'], { agent_id: 'planner' });
    expect(await list({}, agent)).toHaveLength(2);
  });

  it('keeps the kind that a post gives', async () => {
    const { body } = await post('ada', 'diary', ['Tea is here'], { kind: 'journal' });
    await post('ada', 'diary', ['Milk is out']);
    const stored = await gateway.send<{ kind: string }>(
      fixture.key,
      'GET',
      `/v1/conversations/${body.conversation_id}`,
    );
    expect(stored.body.kind).toBe('journal');
    await post('ada', 'diary', ['Bread is out'], { kind: 'document' });
    const changed = await gateway.send<{ kind: string }>(
      fixture.key,
      'GET',
      `/v1/conversations/${body.conversation_id}`,
    );
    expect(changed.body.kind).toBe('document');
    expect((await post('ada', 'diary', ['Tea'], { kind: 'poem' })).status).toBe(400);
  });
});

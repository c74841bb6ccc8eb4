import type { MemoryQueryAnswer, Problem } from '@annals/contracts';
import { loadTokenCounter, type TokenCounter } from '@annals/llm-core';
import { MemoryFixture, type QueryHits } from '../fixtures/memory.fixture.js';
import { METRICS_TOKEN, startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

describe('memory.query', () => {
  let gateway: TestGateway;
  let fixture: MemoryFixture;
  let countTokens: TokenCounter;

  beforeAll(async () => {
    gateway = await startGateway();
    fixture = await MemoryFixture.open(gateway, 'query');
    countTokens = await loadTokenCounter();
  });
  afterAll(() => gateway?.close());

  const queryMemory = (...asked: Parameters<MemoryFixture['queryHits']>) => fixture.queryHits(...asked);
  const contents = (answer: QueryHits) => answer.memories.map(({ content }) => content);

  it('returns facts and turns, a fact and its turn as one result', async () => {
    const [parrot] = await fixture.postMessages(
      'both',
      't',
      'My parrot is called Rico',
      'The cello lessons begin in May',
    );
    await fixture.addMemory('both', 'The user has a parrot called Rico', {
      sources: [{ messageId: parrot!, quote: 'parrot is called Rico' }],
    });
    const answer = await queryMemory('both', 'Is the parrot called Rico, and what of the cello?');
    expect(contents(answer)).toEqual(['The user has a parrot called Rico', 'The cello lessons begin in May']);
    expect(answer.memories.map(({ type, category }) => [type, category])).toEqual([
      ['semantic', 'preferences'],
      ['turn', 'activity'],
    ]);
    for (const { sources } of answer.memories) expect(sources).toMatchObject([{ thread_id: 't' }]);
    expect(contents(await queryMemory('both', 'Which parrot?', { types: ['turn'] }))).toContain(
      'My parrot is called Rico',
    );
    expect(contents(await queryMemory('both', 'Which cello?', { types: ['semantic'] }))).not.toContain(
      'The cello lessons begin in May',
    );
  });

  it("names the caller's own message ids in sources, and returns what a model noted about a memory", async () => {
    const messages = [
      { id: 'm-1', role: 'user', content: 'My dog Rex died in May' },
      { role: 'user', content: 'My cat is called Mia' },
    ];
    const posted = await gateway.send<{ conversation_id: string }>(fixture.key, 'POST', '/v1/conversations', {
      body: { user_id: 'own-ids', thread_id: 't', messages },
    });
    const conversation = await gateway.send<{ messages: { id: string }[] }>(
      fixture.key,
      'GET',
      `/v1/conversations/${posted.body.conversation_id}`,
    );
    const [rex] = conversation.body.messages;
    const context = {
      emotionalContext: { emotion: 'grief', intensity: 0.9 },
      significance: { overall: 0.8 },
      relationshipDynamics: { person: 'Rex', bond: 'family', change: 'loss' },
    };
    const id = await fixture.addMemory('own-ids', "The user's dog Rex died in May", {
      sources: [{ messageId: rex!.id, quote: 'Rex died' }],
      ...context,
    });
    const served = {
      emotional_context: context.emotionalContext,
      significance: context.significance,
      relationship_dynamics: context.relationshipDynamics,
      sources: [{ message_id: rex!.id, external_id: 'm-1', quote: 'Rex died' }],
    };
    const { memories } = await queryMemory('own-ids', 'Which dog died, and what is the cat called?');
    expect(memories.find(({ type }) => type === 'semantic')).toMatchObject({ id, ...served });
    expect(memories.find(({ content }) => content === 'My cat is called Mia')).toMatchObject({
      type: 'turn',
      emotional_context: null,
      sources: [{ external_id: null }],
    });
    const asked = { query: 'Which dog died?', filters: { user_id: 'own-ids' }, types: ['semantic'] };
    const { body } = await fixture.queryMemory<MemoryQueryAnswer>({ ...asked, include_related: false });
    const { conversation_id } = posted.body;
    expect(body.memories[0]!.sources).toEqual([{ conversation_id, message_id: rex!.id, external_id: 'm-1' }]);
    expect((await gateway.send(fixture.key, 'GET', `/v1/memories/${id}`)).body).toMatchObject(served);
  });

  it('returns bullets with their text, and an explanation on request', async () => {
    await fixture.addMemory('bullets', 'The user likes green tea');
    await fixture.addMemory('bullets', 'The user likes black tea');
    const { body } = await fixture.queryMemory<MemoryQueryAnswer>({
      query: 'Which tea does the user like?',
      filters: { user_id: 'bullets' },
      top_k: 1,
      explain: true,
    });
    expect(Object.keys(body.memories[0]!).toSorted()).toEqual([
      'category',
      'id',
      'scope',
      'sources',
      'superseded_by',
      'text',
      'type',
      'valid_to',
    ]);
    expect(body.memories[0]!.text).toMatch(/^\[preferences\] The user likes \w+ tea \(\d+ \w+ \d{4}\)$/);
    const { explain } = body;
    expect(explain!.terms.map(({ term }) => term)).toContain('tea');
    expect(explain).toMatchObject({
      categories: null,
      candidates: { memories: 2, turns: 0 },
      kept: [{ id: body.memories[0]!.id, kind: 'memory', category: 'preferences' }],
      dropped: [{ kind: 'memory', why: 'top_k' }],
      header: 'not_requested',
      reranker: null,
    });
    expect(explain!.kept[0]!.scores.relevance).toBeGreaterThan(0);
    expect(Object.keys(explain!.timings_ms)).toEqual(expect.arrayContaining(['embed', 'candidates', 'rank', 'load']));
  });

  it('applies the threshold to the relevance, before time and importance', async () => {
    await fixture.addMemory('threshold', 'The user plays the cello', { importance: 5 });
    await fixture.addMemory('threshold', 'The user lives in Lisbon', { importance: 5 });
    const answer = await queryMemory('threshold', 'Who plays the cello?', { threshold: 0.5, explain: true });
    expect(contents(answer)).toEqual(['The user plays the cello']);
    expect(answer.explain!.dropped).toMatchObject([{ why: 'threshold' }]);
  });

  it.each([16, 40, 80, 200])('limits header, results and related memories to %i tokens', async (budget_tokens) => {
    const user = `budget-${budget_tokens}`;
    const [source] = await fixture.postMessages(
      user,
      't',
      'We talked about tea and cake for quite a while on that afternoon',
    );
    const observe = (content: string) => ({
      kind: 'observe' as const,
      memory: fixture.statement(content, { sources: [{ messageId: source!, quote: 'tea' }] }),
    });
    const kinds = ['green', 'black', 'white', 'herbal', 'iced', 'spiced'];
    await fixture.change(
      user,
      kinds.map((kind) => observe(`The user likes ${kind} tea in the morning`)),
      [{ from: 0, to: 5, strength: 0.9 }],
    );
    const answer = await queryMemory(user, 'Which tea?', { budget_tokens, top_k: 3, thread_id: 't', since_rev: 0 });
    const texts = [
      answer.header ?? '',
      ...answer.memories.map(({ text }) => text),
      ...answer.related.map(({ text }) => text),
    ];
    const total = texts.reduce((sum, text) => sum + (text === '' ? 0 : countTokens(text)), 0);
    expect(answer.tokens).toBe(total);
    expect(total).toBeLessThanOrEqual(budget_tokens);
    if (budget_tokens === 200) {
      expect(answer.header).toContain('Memory updates since rev 0:');
      expect(answer.memories).toHaveLength(3);
    }
  });

  it('returns memories that are related to a result, within the filters', async () => {
    const observe = (content: string, category = 'preferences') => ({
      kind: 'observe' as const,
      memory: fixture.statement(content, { category }),
    });
    const [cello, , , hidden] = await fixture.change(
      'linked',
      [
        observe('The user plays the cello'),
        observe('Her teacher is Mrs Novak'),
        observe('Lessons are on Tuesdays'),
        observe('The teacher was ill', 'history'),
      ],
      [
        { from: 0, to: 1, strength: 0.6 },
        { from: 2, to: 0, strength: 0.8 },
        { from: 0, to: 3, strength: 0.9 },
      ],
    );
    const found = await queryMemory('linked', 'cello', { threshold: 0.3, categories: ['preferences'] });
    expect(found.memories.map(({ id }) => id)).toEqual([cello]);
    expect(found.related).toMatchObject([
      { text: expect.stringContaining('Tuesdays'), related_to: cello, strength: expect.closeTo(0.8) },
      { text: expect.stringContaining('Novak'), relation_type: 'related_to' },
    ]);
    expect(JSON.stringify(found)).not.toContain(hidden);
    expect((await queryMemory('linked', 'cello', { threshold: 0.3, include_related: false })).related).toEqual([]);
    const related = await gateway.send<{ items: { content: string; direction: string }[]; next_cursor: string }>(
      fixture.key,
      'GET',
      `/v1/memories/${cello}/related?limit=2`,
    );
    expect(related.body.items.map(({ content, direction }) => [content, direction])).toEqual([
      ['The teacher was ill', 'out'],
      ['Lessons are on Tuesdays', 'in'],
    ]);
    const rest = await gateway.send<{ items: object[]; next_cursor: null }>(
      fixture.key,
      'GET',
      `/v1/memories/${cello}/related?limit=2&cursor=${related.body.next_cursor}`,
    );
    expect(rest.body).toMatchObject({ items: [{ content: 'Her teacher is Mrs Novak' }], next_cursor: null });
  });

  it('returns procedural memories only to requests that name their category', async () => {
    await fixture.addMemory('steps', '1. Open the ticket. 2. Call the customer.', {
      type: 'procedural',
      category: 'procedural',
    });
    await fixture.addMemory('steps', 'The user opened a ticket');
    expect(contents(await queryMemory('steps', 'ticket'))).toEqual(['The user opened a ticket']);
    expect(contents(await queryMemory('steps', 'ticket', { types: ['procedural'] }))).toEqual([]);
    expect(contents(await queryMemory('steps', 'ticket', { categories: ['procedural'] }))).toHaveLength(1);
    expect(contents(await queryMemory('steps', 'ticket', { agent: 'planner' }))).toEqual([]);
    expect(
      contents(await queryMemory('steps', 'ticket', { agent: 'planner', categories: ['procedural'] })),
    ).toHaveLength(1);
  });

  it('tells that a turn is over only by memories that key and agent may see', async () => {
    const [said] = await fixture.postMessages('moved', 't', 'I live in Lisbon');
    const sources = [{ messageId: said!, quote: 'live in Lisbon' }];
    const lisbon = await fixture.addMemory('moved', 'The user lives in Lisbon', { sources });
    const memory = fixture.statement('The user lives in Porto', { category: 'goals' });
    const [porto] = await fixture.change('moved', [{ kind: 'supersede', memoryId: lisbon, memory }]);
    const { tenantId } = fixture;
    const bound = await gateway.makeKey({ tenantId, categories: ['activity', 'preferences'] });
    const find = async (key: string, rest: object = {}) => {
      const body = { query: 'Lisbon', filters: { user_id: 'moved' }, types: ['turn'], return: 'full', ...rest };
      return (await fixture.queryMemory<QueryHits>(body, key)).body.memories[0];
    };
    const over = { superseded: true, superseded_by: porto, text: expect.stringContaining('until ') };
    expect(await find(fixture.key)).toMatchObject(over);
    // What a request narrows itself to hides nothing from it.
    expect(await find(fixture.key, { categories: ['activity'] })).toMatchObject(over);
    expect(await find(fixture.key, { current: true })).toBeUndefined();
    for (const current of [undefined, true]) {
      const served = await find(bound, { current });
      expect(served).toMatchObject({ superseded: false, superseded_by: null, valid_to: null });
      expect(served!.text).not.toContain('until');
    }
  });

  it('returns the memories of each category’s context mode without a query', async () => {
    for (const [content, category, importance] of [
      ['The user is called Ana', 'profile', 2],
      ['The user was born in Graz', 'profile', 5],
      ['The user likes tea', 'preferences', 3],
      ['The user has a cat', 'relationships', 3],
    ] as const)
      await fixture.addMemory('standing', content, { category, importance });
    const all = await queryMemory('standing', undefined);
    expect(contents(all).slice(0, 2)).toEqual(['The user was born in Graz', 'The user is called Ana']);
    expect(contents(all)).toHaveLength(4);
    expect(contents(await queryMemory('standing', undefined, { categories: ['profile'] }))).toHaveLength(2);
    expect(contents(await queryMemory('standing', undefined, { top_k: 1 }))).toEqual(['The user was born in Graz']);
    expect(contents(await queryMemory('standing', undefined, {}, { importance_min: 5 }))).toEqual([
      'The user was born in Graz',
    ]);
    expect(contents(await queryMemory('standing', undefined, { agent: 'stylist' }))).toEqual(['The user likes tea']);
  });

  it.each<[string, object, string, string]>([
    ['an unknown agent', { agent: 'nobody' }, 'forbidden_agent', 'nobody'],
    [
      'a category outside the allowlist',
      { agent: 'stylist', categories: ['tone', 'goals'] },
      'forbidden_category',
      'goals',
    ],
    ['a category that does not exist', { categories: ['moods'] }, 'forbidden_category', 'moods'],
    [
      'a filter by such a category',
      { agent: 'stylist', filters: { user_id: 'a', category: 'goals' } },
      'forbidden_category',
      'goals',
    ],
  ])('refuses %s by name, and records the refusal without content', async (_what, body, code, name) => {
    const { status, body: problem } = await fixture.queryMemory<Problem>({
      query: 'zanzibar',
      filters: { user_id: 'a' },
      ...body,
    });
    expect({ status, code: problem.code }).toEqual({ status: 403, code });
    expect(problem.detail).toContain(name);
    const events = await eventsUntil('op=refuse', (items) =>
      code === 'forbidden_agent' ? items.length > 0 : items.some(({ category }) => category === name),
    );
    expect(events[0]).toMatchObject({ node: 'gateway', op: 'refuse', status: 'error', user_id: 'a' });
    expect(JSON.stringify(events)).not.toContain('zanzibar');
  });

  it('records each query after the response: injected context apart from queries on demand', async () => {
    await fixture.postMessages('counted', 't', 'I like tea');
    const added = {
      user_id: 'counted',
      content: 'The user likes tea.',
      category: 'preferences',
      thread_id: 'counted-t',
    };
    expect((await gateway.send(fixture.key, 'POST', '/v1/memories', { body: added })).status).toBe(201);
    const inThread = { thread_id: 'counted-t' };
    await queryMemory('counted', 'The user likes tea.', inThread);
    await queryMemory('counted', 'tea', { ...inThread, purpose: 'recall' });
    const events = await eventsUntil('thread_id=counted-t', (items) => items.length >= 4);
    expect(events.toReversed()).toMatchObject([
      { node: 'api', op: 'search', status: 'skipped', sim: null },
      { node: 'api', op: 'create', status: 'ok', category: 'preferences', sim: null },
      { node: 'context', op: 'search', status: 'ok', user_id: 'counted', memory_id: null, sim: expect.closeTo(1, 2) },
      { node: 'hotpath', op: 'recall', status: 'ok', user_id: 'counted', memory_id: null, sim: expect.any(Number) },
    ]);
    expect(await eventsUntil('thread_id=counted-t&node=context&op=search&status=ok', () => true)).toHaveLength(1);
    const { body: metrics } = await gateway.send<{ text: string }>(METRICS_TOKEN, 'GET', '/metrics');
    expect(metrics.text).toMatch(/memory_llm_queries_total\{purpose="recall"\} [1-9]/);
    expect(metrics.text).toMatch(/memory_llm_turns_accepted_total [1-9]/);
    const counts = await gateway.send<{ items: { node: string; op: string; count: number }[] }>(
      fixture.key,
      'GET',
      '/v1/events/counts?user_id=counted&interval=day',
    );
    expect(counts.body.items.map(({ node, op, count }) => [node, op, count])).toEqual([
      ['api', 'create', 1],
      ['api', 'search', 1],
      ['context', 'search', 1],
      ['hotpath', 'recall', 1],
    ]);
  });

  it('tells a key with categories nothing about what is like its own statements in the others', async () => {
    await fixture.addMemory('oracle', 'The user saves money for a house in Porto', { category: 'goals' });
    const bound = await gateway.makeKey({ tenantId: fixture.tenantId, categories: ['activity', 'preferences'] });
    const statement = { user_id: 'oracle', content: 'The user likes houses in Porto.', category: 'preferences' };
    expect((await gateway.send(bound, 'POST', '/v1/memories', { body: statement })).status).toBe(201);
    await fixture.queryMemory({ query: 'house in Porto', filters: { user_id: 'oracle' } }, bound);
    const seen = await eventsUntil('user_id=oracle&node=context', (items) => items.length > 0);
    expect(seen).toMatchObject([{ op: 'search', sim: expect.any(Number) }]);
    const list = async (key: string) => {
      const { body } = await gateway.send<{ items: object[] }>(
        key,
        'GET',
        '/v1/events?user_id=oracle&category=preferences',
      );
      return body.items.toReversed();
    };
    expect(await list(fixture.key)).toMatchObject([
      { node: 'api', op: 'search', sim: expect.any(Number) },
      { node: 'api', op: 'create', sim: expect.any(Number) },
      { node: 'api', op: 'link', sim: expect.any(Number) },
    ]);
    expect(await list(bound)).toMatchObject([{ node: 'api', op: 'create', sim: null }]);
    const counted = await gateway.send<{ items: object[] }>(bound, 'GET', '/v1/events/counts?user_id=oracle');
    expect(counted.body.items).toMatchObject([
      { node: 'api', op: 'create', count: 1 },
      { node: 'context', op: 'search', count: 1 },
    ]);
    const { body: listed } = await gateway.send<{ items: object[] }>(
      bound,
      'GET',
      '/v1/events?user_id=oracle&node=context',
    );
    expect(listed.items).toMatchObject([{ op: 'search', sim: null }]);
  });

  interface Event {
    node: string;
    category: string | null;
  }

  /** Events are written after the responses, so this polls until they are there. */
  async function eventsUntil(query: string, isThere: (items: Event[]) => boolean): Promise<Event[]> {
    for (;;) {
      const { body } = await gateway.send<{ items: Event[] }>(fixture.key, 'GET', `/v1/events?${query}`);
      if (isThere(body.items)) return body.items;
    }
  }
});

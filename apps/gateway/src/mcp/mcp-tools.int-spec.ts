import type { MemoryWritten } from '@annals/contracts';
import { MCP_CLIENTS, type McpClient } from '@annals/testing';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

interface Recalled {
  readonly memories: { readonly text: string; readonly type: string }[];
}

describe.each(MCP_CLIENTS)('the tools of MCP, for a client of revision %s', (revision, connect) => {
  let gateway: TestGateway;
  let tenantId: string;
  /** Of the whole tenant. */
  let admin: string;
  let user: string;
  let client: McpClient;
  let users = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('acme');
    admin = await gateway.makeKey({ tenantId });
  });
  beforeEach(async () => {
    user = `user-${(users += 1)}`;
    client = await connect(gateway.url, await makeKey());
  });
  afterEach(() => client?.close());
  afterAll(() => gateway?.close());

  const makeKey = (over: object = {}) =>
    gateway.makeKey({ tenantId, userId: user, scopes: ['query', 'ingest'], ...over });
  const recall = async (query: string, by = client) =>
    ((await by.call('memory_query', { query })).structured as unknown as Recalled).memories.map(({ text }) => text);
  const addMemory = async (content: string, over: object = {}) => {
    const body = { user_id: user, content, category: 'preferences', ...over };
    return (await gateway.send<MemoryWritten>(admin, 'POST', '/v1/memories', { body })).body.memory;
  };

  it('speaks its revision, and tells a model when to use them', () => {
    expect(client.revision).toBe(revision);
    expect(client.instructions).toMatch(
      /^Long-term memory about one person.+memory_context.+memory_remember.+memory_forget/,
    );
  });

  it('lists them with schemas and hints', async () => {
    const tools = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_context',
      'memory_query',
      'memory_remember',
      'memory_forget',
    ]);
    for (const tool of tools)
      expect(tool).toMatchObject({ title: expect.any(String), outputSchema: expect.any(Object) });
    expect(tools[1]!.annotations).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
  });

  it('recalls at once what it was told to remember, as it was said, without personal numbers', async () => {
    const stored = await client.call('memory_remember', {
      text: 'I am allergic to peanuts. Write to me at ada@example.com.',
    });
    expect(stored).toMatchObject({ isError: false, structured: { accepted: 1, duplicates: 0 } });
    expect(stored.text).toContain('Masked before it was stored: 1 email.');
    const [first, ...others] = await recall('peanuts');
    expect(first).toMatch(/^\[activity\] user: I am allergic to peanuts\. Write to me at \[email [0-9a-f]{16}\]\. \(/);
    expect(others).toEqual([]);
  });

  it('takes part of a conversation, whose speakers stay what they were', async () => {
    const messages = [
      { role: 'user', content: 'I moved to Lisbon.' },
      { role: 'assistant', content: 'How do you like Lisbon?' },
    ];
    expect(await client.call('memory_remember', { messages })).toMatchObject({ structured: { accepted: 2 } });
    const texts = (await recall('Lisbon')).map((text) => text.replace(/ \(.*$/, ''));
    expect(texts.toSorted()).toEqual([
      '[activity] assistant: How do you like Lisbon?',
      '[activity] user: I moved to Lisbon.',
    ]);
  });

  it('stores what is sent again once, and says how to store it anew', async () => {
    const args = { text: 'I like tea.' };
    await Promise.all([1, 2, 3].map(() => client.call('memory_remember', args)));
    const again = await client.call('memory_remember', args);
    expect(again).toMatchObject({ isError: false, structured: { accepted: 0, duplicates: 1 } });
    expect(again.text).toContain('send a new idempotency_key');
    expect(await recall('tea')).toHaveLength(1);
    const anew = await client.call('memory_remember', { ...args, idempotency_key: 'anew' });
    expect(anew).toMatchObject({ structured: { accepted: 1 } });
  });

  it('refuses a key of an earlier call with another text', async () => {
    await client.call('memory_remember', { text: 'I like tea.', idempotency_key: 'k' });
    expect(await client.call('memory_remember', { text: 'I like tea.', idempotency_key: 'k' })).toMatchObject({
      structured: { accepted: 0 },
    });
    const other = await client.call('memory_remember', { text: 'I like coffee.', idempotency_key: 'k' });
    expect(other).toMatchObject({ isError: true, structured: undefined });
    expect(other.text).toBe('This idempotency_key was used today for something else: send a new one.');
    expect((await recall('coffee')).join()).not.toContain('coffee');
  });

  it('stores nothing under an id that tells the text or the key', async () => {
    await client.call('memory_remember', { text: 'I like tea.' });
    await client.call('memory_remember', { text: 'I like rye.', idempotency_key: 'mara@example.com' });
    const { body: answer } = await gateway.send<{ memories: { sources: { external_id: string }[] }[] }>(
      admin,
      'POST',
      '/v1/memory/query',
      { body: { query: 'What does the user like?', filters: { user_id: user } } },
    );
    const ids = answer.memories.flatMap(({ sources }) => sources.map(({ external_id }) => external_id));
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('answers within the budget of tokens and the number of results', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await client.call('memory_remember', { text: `I like tea number ${n}.` });
    expect(await recall('tea')).toHaveLength(5);
    const few = await client.call('memory_query', { query: 'tea', top_k: 2 });
    expect((few.structured as unknown as Recalled).memories).toHaveLength(2);
    const short = await client.call('memory_query', { query: 'tea', top_k: 7, budget_tokens: 40 });
    expect((short.structured as unknown as Recalled).memories.length).toBeLessThan(3);
  });

  it('says that nothing is remembered', async () => {
    expect(await client.call('memory_query', { query: 'tea' })).toMatchObject({
      isError: false,
      text: 'Nothing is remembered about this.',
      structured: { memories: [], degraded: false },
    });
    expect(await client.call('memory_context')).toMatchObject({
      isError: false,
      text: 'Nothing is known about the user yet.',
      structured: { profile: {}, memories: [], changes: [] },
    });
  });

  it('gives the context of a user: profile, and what belongs into every prompt', async () => {
    await gateway.send(admin, 'PUT', `/v1/users/${user}/context`, {
      body: { preferred_name: 'Mari', goals: ['run a marathon', 'learn Dutch'] },
    });
    await addMemory('The user is vegetarian.', { category: 'profile' });
    const { text, structured } = await client.call('memory_context');
    expect(structured).toMatchObject({
      profile: { preferred_name: 'Mari', goals: ['run a marathon', 'learn Dutch'] },
      memories: [{ text: expect.stringContaining('The user is vegetarian.'), type: 'semantic' }],
    });
    expect(text).toMatch(
      /^Profile:\n- preferred_name: Mari\n- goals: run a marathon; learn Dutch\n\nMemories:\n- \[profile\] The user is vegetarian\./,
    );
  });

  it('tells what changed since a revision, and nothing that was told before', async () => {
    const readContext = async (since_rev?: string) => {
      const { structured } = await client.call('memory_context', since_rev === undefined ? {} : { since_rev });
      return structured as { changes: string[]; revision: string };
    };
    await client.call('memory_remember', { text: 'Hello.' });
    const before = await readContext();
    expect(before.changes).toEqual([]);
    // As extraction does, for the thread of the day.
    const [day] = before.revision.split('.');
    await addMemory('The user likes green tea.', { thread_id: `mcp-${day}` });
    const after = await readContext(before.revision);
    expect(after.changes).toEqual([expect.stringMatching(/^\+created: .*The user likes green tea/)]);
    expect(after.revision).not.toBe(before.revision);
    expect((await readContext(after.revision)).changes).toEqual([]);
  });

  it('tells the changes of the days before, but not of more than a week', async () => {
    const { structured } = await client.call('memory_context');
    const today = Date.parse((structured as { revision: string }).revision.slice(0, 10));
    const daysAgo = (days: number) => new Date(today - days * 86_400_000).toISOString().slice(0, 10);
    await gateway.send(admin, 'POST', '/v1/conversations', {
      body: { user_id: user, thread_id: `mcp-${daysAgo(2)}`, messages: [{ role: 'user', content: 'Hello.' }] },
    });
    await addMemory('The user likes rye bread.', { thread_id: `mcp-${daysAgo(2)}` });
    const changesSince = async (since_rev: string) =>
      ((await client.call('memory_context', { since_rev })).structured as { changes: string[] }).changes;
    expect(await changesSince(`${daysAgo(3)}.4`)).toEqual([expect.stringContaining('The user likes rye bread')]);
    expect(await changesSince(`${daysAgo(1)}.0`)).toEqual([]);
    expect(await changesSince(`${daysAgo(8)}.0`)).toEqual([
      'since_rev is more than 7 days old, so changes are not listed.',
    ]);
  });

  it.each<[string, string, object, string]>([
    ['an unknown argument', 'memory_query', { query: 'tea', user_id: 'bob' }, 'Correct arguments.user_id: This field'],
    ['a missing one', 'memory_query', {}, 'Correct arguments.query: '],
    ['a wrong one', 'memory_query', { query: 'tea', top_k: 'all' }, 'Correct arguments.top_k: '],
    ['no text', 'memory_remember', {}, 'Correct arguments: Send either text or messages.'],
    [
      'a message of a system',
      'memory_remember',
      { messages: [{ role: 'system', content: 'x' }] },
      'Correct arguments.messages[0].role: ',
    ],
    ['a revision of its own making', 'memory_context', { since_rev: '7' }, 'Correct arguments.since_rev: Send the'],
    ['a text that cannot be stored', 'memory_remember', { text: 'a\u0000b' }, 'Correct body.messages[0].content: '],
  ])('refuses %s with a sentence that says what to do', async (_what, name, args, sentence) => {
    const result = await client.call(name, args as Record<string, unknown>);
    expect(result).toMatchObject({ isError: true, structured: undefined });
    expect(result.text).toContain(sentence);
  });

  it('forgets what the user names, after a dry run that shows what would go', async () => {
    await client.call('memory_remember', { text: 'I live in Lisbon. My cat is old.' });
    await addMemory('The user lives in Lisbon.');
    const text = 'forget that I live in Lisbon';
    const shown = await client.call('memory_forget', { text });
    expect(shown).toMatchObject({
      isError: false,
      structured: { dry_run: true, forgotten: ['The user lives in Lisbon.', 'I live in Lisbon. My cat is old.'] },
    });
    expect(shown.text).toMatch(/^Would be forgotten for good: 1 memories, 1 turns\..+Nothing was forgotten yet\./s);
    expect(await recall('live in Lisbon')).not.toEqual([]);
    const { plan } = shown.structured as { plan: string };
    const done = await client.call('memory_forget', { text, dry_run: false, plan });
    expect(done).toMatchObject({ structured: { dry_run: false, forgotten: [], counts: { memories: 1, turns: 1 } } });
    expect(JSON.stringify(await recall('live in Lisbon'))).not.toContain('Lisbon');
    expect(await recall('old cat')).not.toEqual([]);
    expect((await client.call('memory_forget', { text })).text).toContain('there is nothing to forget');
  });

  it('forgets nothing where two subjects fit, and names them', async () => {
    await client.call('memory_remember', { text: 'I met Ana Silva.' });
    await client.call('memory_remember', { text: 'I met Ana Costa.' });
    const refused = await client.call('memory_forget', { text: 'everything about Ana', dry_run: false });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/More than one subject fits\..+- Ana Costa \(mentioned 1 times\)\n- Ana Silva/s);
    expect(await recall('Ana')).toHaveLength(2);
  });

  it('answers an unknown tool by an error of the protocol that names the tools', async () => {
    await expect(client.call('memory_erase')).rejects.toThrow(
      /There is no such tool\. The tools are: memory_context, /,
    );
  });

  it('says why a tool is not for the key', async () => {
    await client.close();
    client = await connect(gateway.url, await makeKey({ scopes: ['query'] }));
    expect(await client.listTools()).toHaveLength(2);
    expect(client.instructions).not.toContain('memory_remember');
    expect(await client.call('memory_remember', { text: 'I like tea.' })).toMatchObject({
      isError: true,
      text: 'Use a key with the scope ingest.',
    });
  });

  it('has no tools for a key that is not bound to a user, and says how to make one', async () => {
    await client.close();
    client = await connect(gateway.url, admin);
    expect(await client.listTools()).toEqual([]);
    expect(client.instructions).toContain('POST /v1/admin/keys');
    expect(await client.call('memory_query', { query: 'tea' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('not bound to a user'),
    });
  });

  it('never reaches the memory of another user, whatever is asked', async () => {
    await client.call('memory_remember', { text: 'I collect zanzibarquartz.' });
    await addMemory('The user collects zanzibarquartz.', { category: 'profile' });
    const owner = user;
    user = `${owner}-neighbour`;
    const neighbour = await connect(gateway.url, await makeKey());
    const queries = ['zanzibarquartz', `What does ${owner} collect?`, `filters.user_id=${owner}`];
    for (const query of queries) expect(await recall(query, neighbour)).toEqual([]);
    for (const extra of ['user_id', 'filters', 'agent', 'thread_id', 'categories'])
      expect(await neighbour.call('memory_query', { query: 'zanzibarquartz', [extra]: owner })).toMatchObject({
        isError: true,
      });
    await neighbour.call('memory_remember', { text: `I am ${owner}.` });
    expect((await neighbour.call('memory_context')).text).not.toContain('zanzibarquartz');
    await neighbour.close();
    const own = await recall(owner);
    expect(own.join()).not.toContain(`I am ${owner}`);
  });

  it('limits a key to its categories and to the allowlist of its agent', async () => {
    await addMemory('The user plans a trip to Oslo.', { category: 'tasks' });
    await addMemory('The user likes Oslo.', { category: 'preferences' });
    await gateway.send(admin, 'PUT', `/v1/users/${user}/context`, { body: { city: 'Oslo' } });
    for (const bound of [{ categories: ['tasks'] }, { agentId: 'planner' }]) {
      const limited = await connect(gateway.url, await makeKey(bound));
      expect(await recall('Oslo', limited)).toEqual([expect.stringContaining('plans a trip to Oslo')]);
      const { structured } = await limited.call('memory_context');
      expect(structured).toMatchObject({ profile: {}, memories: [{ text: expect.stringContaining('plans a trip') }] });
      await limited.close();
    }
  });
});

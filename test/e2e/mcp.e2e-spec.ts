import { type AnnalsSystem, ApiClient, MCP_CLIENTS, type McpClient, startSystem, waitUntil } from '@annals/testing';

interface Recalled {
  readonly memories: readonly { readonly text: string; readonly type: string }[];
}

describe.each(MCP_CLIENTS)('memory through MCP, for a client of revision %s', (revision, connect) => {
  let system: AnnalsSystem;
  let admin: ApiClient;
  let client: McpClient;
  const user = `ada-${revision}`;
  beforeAll(async () => {
    system = await startSystem();
    admin = new ApiClient(() => system.nextUrl(), system.tenantKey);
    // As docs/mcp.md says.
    const { key } = await admin.must('createKey', {
      body: { name: 'Claude', user_id: user, scopes: ['query', 'ingest'] },
    });
    client = await connect(system.nextUrl(), key!);
  });
  afterAll(async () => {
    await client?.close();
    await system?.close();
  });

  const recallFacts = async (query: string) => {
    const { structured } = await client.call('memory_query', { query, top_k: 20 });
    return (structured as unknown as Recalled).memories.filter(({ type }) => type !== 'turn').map(({ text }) => text);
  };
  const readContext = async (since_rev?: string) => {
    const { structured } = await client.call('memory_context', since_rev === undefined ? {} : { since_rev });
    return structured as unknown as Recalled & { changes: string[]; revision: string; profile: object };
  };

  it('turns what a user said into facts that are recalled, and reported as changes', async () => {
    const before = await readContext();
    await client.call('memory_remember', { text: 'I am allergic to peanuts. My sister Anna lives in Rome.' });
    const [allergy] = await waitUntil(
      async () => {
        const facts = await recallFacts('What is the user allergic to?');
        return facts.some((text) => text.includes('allergic to peanuts')) ? facts : null;
      },
      { describe: 'the allergy is a fact' },
    );
    expect(allergy).toMatch(/^\[\w+\] The user is allergic to peanuts\. \(/);
    const { changes } = await readContext(before.revision);
    expect(changes.join('\n')).toMatch(/^\+created: .*allergic to peanuts/m);
    expect((await readContext((await readContext()).revision)).changes).toEqual([]);
  });

  it('gives a new conversation the name that the user asked to be called', async () => {
    await client.call('memory_remember', { text: 'Please call me Mari.' });
    const { profile } = await waitUntil(
      async () => {
        const context = await readContext();
        return 'preferred_name' in context.profile ? context : null;
      },
      { describe: 'the profile has a name' },
    );
    expect(profile).toMatchObject({ preferred_name: 'Mari' });
  });

  it('is the memory that the product has of the user, and of no other', async () => {
    const body = { user_id: user, content: 'The user plays the cello.', category: 'interests' };
    await admin.must('addMemory', { body });
    await admin.must('addMemory', { body: { ...body, user_id: 'somebody', content: 'The user plays the harp.' } });
    const facts = (await recallFacts('Which instrument does the user play?')).join('\n');
    expect(facts).toContain('The user plays the cello.');
    expect(facts).not.toContain('harp');
    const { memories } = await admin.must('queryMemory', { body: { query: 'peanuts', filters: { user_id: user } } });
    expect(memories.map(({ text }) => text).join('\n')).toContain('allergic to peanuts');
  });
});

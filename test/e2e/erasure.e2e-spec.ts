import { EXPORT_SCHEMA_VERSION, exportEndSchema, exportManifestSchema } from '@annals/contracts';
import { type AnnalsSystem, ApiClient, startSystem, waitUntilDone } from '@annals/testing';

/** Canary words, one for each field that can contain a person's text. */
const WORDS = {
  said: 'quixotrium',
  answered: 'velmorphic',
  byHand: 'brindlewax',
  deleted: 'wexfordian',
  state: 'tarnsquill',
  actor: 'nimbleford',
  thread: 'plumgrackle',
  graph: 'zephyrlint',
  written: 'corvidine',
  item: 'zephyrlatch',
} as const;

describe('a person’s data', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  const params = { user_id: 'ada lovelace' };

  beforeAll(async () => {
    system = await startSystem();
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await createUserData(params.user_id);
    await client.must('addMemory', {
      body: { user_id: 'bob', content: 'The user likes tea.', category: 'preferences' },
    });
  });
  afterAll(() => system?.close());

  async function createUserData(userId: string): Promise<string> {
    const accepted = await client.must('postConversation', {
      body: {
        user_id: userId,
        thread_id: WORDS.thread,
        flush: true,
        messages: [
          { role: 'user', actor_id: WORDS.actor, content: `I collect ${WORDS.said} stones.` },
          { role: 'assistant', content: `Is ${WORDS.answered} better?` },
        ],
      },
      headers: { 'idempotency-key': 'first-post' },
    });
    const add = (content: string) =>
      client.must('addMemory', { body: { user_id: userId, content, category: 'profile' } });
    await client.send('POST', '/v1/memories', {
      body: { user_id: userId, content: `The user plays ${WORDS.byHand}.`, category: 'profile' },
      headers: { 'idempotency-key': 'first-memory' },
    });
    const { memory } = await add(`The user met ${WORDS.deleted}.`);
    await client.must('deleteMemory', { params: { id: memory.id } });
    await client.must('putCheckpoint', {
      params: { user_id: userId, thread_id: WORDS.thread },
      body: { data: { state: WORDS.state } },
    });
    const graph = { thread_id: WORDS.thread, checkpoint_id: 'c1' };
    await client.must('putLangGraphCheckpoint', {
      params: graph,
      body: { user_id: userId, metadata: { source: WORDS.graph }, state: WORDS.graph },
    });
    const write = { idx: 0, channel: 'messages', type: 'json', value: WORDS.written };
    await client.must('putLangGraphWrites', {
      params: { ...graph, task_id: 'task' },
      body: { user_id: userId, writes: [write] },
    });
    await client.must('batchLangGraphStore', {
      body: {
        user_id: userId,
        operations: [
          { op: 'put', namespace: ['notes'], key: 'k', value: { note: WORDS.item }, index: ['note'] },
          { op: 'search', namespace_prefix: [], query: WORDS.item },
        ],
      },
      headers: { 'idempotency-key': 'first-items' },
    });
    await client.must('queryMemory', { body: { query: WORDS.said, filters: { user_id: userId } } });
    await waitUntilDone(client, accepted.batch_ids, { explain });
    return accepted.conversation_id;
  }

  const findWords = (text: string) => Object.values(WORDS).filter((word) => text.includes(word));
  const readDatabase = () =>
    system.inspect(async (query) => {
      const tables = await query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'annals'`,
      );
      const found: Record<string, string[]> = {};
      for (const { name } of tables) {
        const words = findWords(JSON.stringify(await query(`SELECT t::text AS row FROM annals.${name} t`)));
        if (words.length > 0) found[name] = words;
      }
      return found;
    });

  it('is exported completely: their messages and everything derived from them', async () => {
    const { status, headers, text } = await client.send('GET', '/v1/users/ada%20lovelace/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = text.trimEnd().split('\n');
    expect(exportManifestSchema.parse(JSON.parse(lines[0]!)).schema_version).toBe(EXPORT_SCHEMA_VERSION);
    expect(exportEndSchema.parse(JSON.parse(lines.at(-1)!)).counts).toMatchObject({
      user: 1,
      conversation: 1,
      batch: 1,
      message: 2,
      memory: 3,
      checkpoint: 1,
      langgraph_thread: 1,
      langgraph_checkpoint: 1,
      langgraph_write: 1,
      langgraph_item: 1,
    });
    expect(findWords(text).toSorted()).toEqual(Object.values(WORDS).toSorted());
    expect(text).not.toContain('The user likes tea.');
  });

  it('is erased from every column of every table, from queues and logs', async () => {
    expect(Object.keys(await readDatabase())).toEqual(expect.arrayContaining(['messages', 'memories', 'history']));
    const receipt = await client.must('eraseUser', { params });
    expect(receipt.counts).toMatchObject({
      messages: 2,
      memories: 3,
      conversations: 1,
      checkpoints: 1,
      langgraph_threads: 1,
      langgraph_namespaces: 1,
      langgraph_checkpoints: 1,
      langgraph_writes: 1,
      langgraph_items: 1,
    });
    expect(await readDatabase()).toEqual({});
    expect(findWords(await system.dumpQueues())).toEqual([]);
    expect(findWords(system.logs)).toEqual([]);
    expect(await client.must('eraseUser', { params })).toEqual(receipt);
    const { items } = await client.must('listMemories', { query: { user_id: 'bob' } });
    expect(items).toHaveLength(1);
  });

  it('is stored again when they return after an erasure', async () => {
    const conversation = await createUserData(params.user_id);
    const { items } = await client.must('listMemories', { query: params });
    expect(items.map(({ content }) => content)).toEqual(
      expect.arrayContaining([expect.stringContaining(WORDS.said), expect.stringContaining(WORDS.byHand)]),
    );
    const forgotten = await client.must('forgetConversation', { params: { id: conversation } });
    expect(forgotten.memories_deleted).toHaveLength(1);
    const { memories } = await client.must('queryMemory', { body: { query: WORDS.said, filters: params } });
    expect(JSON.stringify(memories)).not.toContain(WORDS.said);
    await client.must('eraseUser', { params });
    expect(await readDatabase()).toEqual({});
  });
});

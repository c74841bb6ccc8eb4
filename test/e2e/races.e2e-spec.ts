import {
  type AnnalsSystem,
  ApiClient,
  assertNothingLostOrDuplicated,
  factContent,
  makePost,
  startSystem,
  waitUntilDone,
} from '@annals/testing';

const FACTS = Array.from({ length: 6 }, (_, fact) => fact);
const CONTENTS = new Set(FACTS.map(factContent));

describe('concurrent requests', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  const batchIds: string[] = [];
  beforeAll(async () => {
    system = await startSystem();
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const times = <T>(count: number, work: (turn: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => work(turn)));
  const finish = async (ids: readonly string[]) => {
    batchIds.push(...ids);
    return waitUntilDone(client, ids, { explain });
  };
  const list = async (user_id: string) => (await client.must('listMemories', { query: { user_id } })).items;

  it('create one row per memory from 50 identical concurrent conversations', async () => {
    const accepted = await times(50, (turn) =>
      client.must('postConversation', {
        body: { ...makePost(FACTS, { userId: 'fifty', threadId: `t${turn}` }), flush: true },
      }),
    );
    const batches = await finish(accepted.flatMap(({ batch_ids }) => batch_ids));
    expect(batches).toHaveLength(50);
    expect(batches.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(FACTS.length);
    const memories = await list('fifty');
    expect(new Set(memories.map(({ content }) => content))).toEqual(CONTENTS);
    expect(memories).toHaveLength(FACTS.length);
    for (const { sources } of memories) expect(sources).toHaveLength(50);
  });

  it('store the same post once when it is sent ten times concurrently', async () => {
    const body = { ...makePost(FACTS, { userId: 'ten', threadId: 't' }), flush: true };
    const answers = await times(10, () => client.call('postConversation', { body }));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    const bodies = answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
    expect(bodies.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(FACTS.length);
    expect(new Set(bodies.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    await finish(bodies.flatMap(({ batch_ids }) => batch_ids));
    expect(await list('ten')).toHaveLength(FACTS.length);
  });

  it('store a post without message ids once when it is sent ten times with one Idempotency-Key', async () => {
    const { messages, ...target } = makePost(FACTS, { userId: 'key', threadId: 't' });
    const body = { ...target, messages: messages.map(({ id: _id, ...message }) => message), flush: true };
    const headers = { 'idempotency-key': 'the-same' };
    const answers = await times(10, () => client.call('postConversation', { body, headers }));
    const taken = answers.flatMap((answer) => (answer.ok ? [answer.body] : []));
    const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.problem.code]));
    expect(new Set(taken.map(({ batch_ids }) => batch_ids.join())).size).toBe(1);
    expect(refused).toEqual(refused.map(() => 'idempotency_in_flight'));
    await finish(taken[0]!.batch_ids);
    const conversation = await client.must('getConversation', { params: { id: taken[0]!.conversation_id } });
    expect(conversation.message_count).toBe(FACTS.length);
    expect(await list('key')).toHaveLength(FACTS.length);
  });

  it('add a memory once when ten callers add it concurrently by API', async () => {
    const body = { user_id: 'hand', content: factContent(1), category: 'interests' };
    const answers = await times(10, () => client.must('addMemory', { body }));
    expect(answers.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1);
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect(await list('hand')).toHaveLength(1);
  });

  it('supersede a memory once when ten callers edit it concurrently', async () => {
    const body = { user_id: 'change', content: 'The user lives in Berlin.', category: 'profile' };
    const { memory } = await client.must('addMemory', { body });
    const answers = await times(10, (turn) =>
      client.call('patchMemory', { params: { id: memory.id }, body: { content: `The user lives in city ${turn}.` } }),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer.problem.code).toBe('memory_not_current');
    expect(await list('change')).toHaveLength(1);
  });

  it('lose and duplicate nothing', async () => {
    const contents = new Map(['fifty', 'ten', 'key'].map((user) => [user, CONTENTS]));
    await system.inspect((query) => assertNothingLostOrDuplicated(query, { batchIds, contents }));
  });
});

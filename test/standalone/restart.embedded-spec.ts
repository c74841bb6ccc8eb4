import {
  type AnnalsSystem,
  ApiClient,
  assertNothingLostOrDuplicated,
  LoadGenerator,
  makePost,
  sized,
  startSystem,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';

let system: AnnalsSystem;
let client: ApiClient;
const explain = () => system.lastLines;
beforeAll(async () => {
  system = await startSystem({ env: { ANNALS_LOG_LEVEL: 'info' } });
  client = new ApiClient(() => system.nextUrl(), system.tenantKey);
});
afterAll(() => system?.close());

describe('a conversation without flush or end', () => {
  it('is extracted automatically soon after its last message', async () => {
    const body = makePost([1, 2], { userId: 'ada', threadId: 't' });
    const { batch_ids } = await client.must('postConversation', { body });
    const batches = await waitUntilDone(client, batch_ids, { explain });
    expect(batches).toMatchObject([{ messages: 2, inserted: 2, sealed: true }]);
  });
});

describe('restarts', () => {
  const list = async (user_id: string) => (await client.must('listMemories', { query: { user_id } })).items;
  const all = <T>(work: (process: AnnalsSystem['processes'][number]) => Promise<T>) =>
    Promise.all(system.processes.map(work));

  it('preserve the data, and shut every process down gracefully', async () => {
    const body = { ...makePost([1, 2], { userId: 'keeper', threadId: 't' }), flush: true };
    await waitUntilDone(client, (await client.must('postConversation', { body })).batch_ids, { explain });
    const before = await list('keeper');
    expect(before).toHaveLength(2);
    expect(await all((process) => process.stop())).toEqual(system.processes.map(() => 0));
    await all((process) => process.start());
    expect(await list('keeper')).toEqual(before);
    expect((await client.call('postConversation', { body })).status).toBe(200);
  });

  it('process what was accepted but not begun when the process stopped', async () => {
    const body = makePost([1], { userId: 'waiting', threadId: 't' });
    const accepted = await client.must('postConversation', { body });
    await all((process) => process.stop());
    await all((process) => process.start());
    await waitUntilDone(client, accepted.batch_ids, { explain });
    expect(await list('waiting')).toHaveLength(1);
  });

  it('lose and duplicate nothing when all processes are killed during work', async () => {
    const seed = 20_261_121;
    const load = new LoadGenerator(client, { seed, callers: 6, pauseMs: sized(200, 20) });
    for (let kill = 0; kill < sized(2, 3); kill += 1) {
      const enough = load.posts + sized(25, 40);
      await waitUntil(() => load.posts >= enough, { describe: 'the load is running' });
      await all((process) => process.kill9());
      await all((process) => process.start());
    }
    const expected = await load.stop();
    expect(expected.batchIds.length).toBeGreaterThan(sized(30, 50));
    await waitUntilDone(client, expected.batchIds, { explain });
    await system.inspect((query) => assertNothingLostOrDuplicated(query, expected));
  });

  it('return quarantined memories only to admins that request them', async () => {
    const body = { ...makePost([1, 2], { userId: 'held', threadId: 't' }), flush: true };
    await waitUntilDone(client, (await client.must('postConversation', { body })).batch_ids, { explain });
    const [hidden, shown] = await list('held');
    await system.inspect((query) =>
      query(`UPDATE memories SET state = 'quarantined', quarantine_reason = 'quote_not_found' WHERE id = $1`, [
        hidden!.id,
      ]),
    );
    const { key } = await client.must('createKey', { body: { name: 'reader', scopes: ['query'] } });
    for (const caller of [client, client.withKey(key!)]) {
      expect((await caller.must('listMemories', { query: { user_id: 'held' } })).items.map(({ id }) => id)).toEqual([
        shown!.id,
      ]);
      for (const as_of of [undefined, new Date(Date.now() + 1_000).toISOString()]) {
        const question = {
          query: hidden!.content,
          filters: { user_id: 'held' },
          top_k: 100,
          ...(as_of ? { as_of } : {}),
        };
        const answer = await caller.must('queryMemory', { body: question });
        // The message itself is not quarantined: its turn may be found, the memory may not.
        const facts = answer.memories.filter(({ type }) => type !== 'turn');
        expect(facts.map(({ id }) => id)).toEqual([shown!.id]);
      }
    }
    expect((await client.withKey(key!).call('getMemory', { params: { id: hidden!.id } })).status).toBe(404);
    const quarantined = await client.must('listMemories', { query: { user_id: 'held', state: 'quarantined' } });
    expect(quarantined.items.map(({ id }) => id)).toEqual([hidden!.id]);
  });
});

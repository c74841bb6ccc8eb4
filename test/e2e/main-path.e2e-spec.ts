import type { Batch, QueryHit } from '@annals/contracts';
import {
  type AnnalsSystem,
  ApiClient,
  collectEvents,
  makePost,
  mapConcurrently,
  type Post,
  readEventStream,
  renderFactMessage,
  type ServerSentEvent,
  startSystem,
  waitForBatches,
  waitUntilDone,
} from '@annals/testing';

const CONVERSATION: Post = {
  user_id: 'ada',
  thread_id: 'first-steps',
  flush: true,
  messages: [
    { id: 'm1', role: 'user', content: 'I moved to Berlin in May. I am allergic to peanuts.' },
    { id: 'm2', role: 'assistant', content: 'I like trains myself. How is Berlin?' },
    { id: 'm3', role: 'user', content: 'My sister Anna lives in Rome. Write to me at ada@example.com.' },
    { id: 'm4', role: 'system', content: 'I live in Oslo.' },
  ],
};

describe('the main path over HTTP', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    // No batch is sealed by time, however slow the machine: a test with several posts to a batch ends it explicitly.
    system = await startSystem({ env: { ANNALS_BATCH_WINDOW_MS: '600000' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const post = (body: Post, headers?: Record<string, string>) =>
    client.must('postConversation', { body, ...(headers ? { headers } : {}) });
  const postDone = async (body: Post) => {
    const accepted = await post({ flush: true, ...body });
    return { accepted, batches: await waitUntilDone(client, accepted.batch_ids, { explain }) };
  };
  const end = ({ conversation_id: id }: { conversation_id: string }) =>
    client.must('endConversation', { params: { id } });
  const list = async (user_id: string) => (await client.must('listMemories', { query: { user_id } })).items;

  describe('from a conversation to an answer', () => {
    let batch: Batch;
    beforeAll(async () => {
      const { batches } = await postDone(CONVERSATION);
      batch = batches[0]!;
    });

    it('reports what the batch did', () => {
      expect(batch).toMatchObject({
        status: 'done',
        user_id: 'ada',
        thread_id: 'first-steps',
        messages: 4,
        inserted: 3,
        updated: 0,
        skipped_duplicate: 0,
        quarantined: 0,
        provider: 'local',
        error: null,
      });
      expect(batch.notice).toMatch(/model/);
      expect(batch.finished_at).not.toBeNull();
    });

    it('extracts memories from messages of the user, not of the assistant or the system', async () => {
      const contents = (await list('ada')).map(({ content }) => content);
      expect(contents).toHaveLength(3);
      expect(contents).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/moved to Berlin in May/),
          expect.stringMatching(/allergic to peanuts/),
          expect.stringMatching(/sister Anna lives in Rome/),
        ]),
      );
    });

    it('stores the source message and the quote of each memory', async () => {
      const memories = await list('ada');
      const conversation = await client.must('getConversation', { params: { id: batch.conversation_id } });
      for (const memory of memories) {
        expect(memory.sources).toHaveLength(1);
        const [source] = memory.sources;
        const message = conversation.messages.find(({ id }) => id === source!.message_id);
        expect(message?.role).toBe('user');
        expect(message!.content).toContain(source!.quote);
        expect(source).toMatchObject({ conversation_id: batch.conversation_id, thread_id: 'first-steps' });
        expect(memory.provenance).toMatchObject({ provider: 'local', cost_micro_usd: 0 });
      }
    });

    it('stores the conversation redacted', async () => {
      const { messages } = await client.must('getConversation', { params: { id: batch.conversation_id } });
      expect(messages[2]!.content).toMatch(/\[email [0-9a-f]{16}\]/);
      expect(JSON.stringify(messages)).not.toContain('ada@example.com');
    });

    it('returns the relevant memory for a query', async () => {
      const body = { query: 'Which food must be avoided: peanuts?', filters: { user_id: 'ada' } };
      const bullets = await client.must('queryMemory', { body });
      expect(bullets.memories[0]!.text).toMatch(/^\[\w+\] .*allergic to peanuts/);
      expect(bullets.memories[0]!.sources).toHaveLength(1);
      expect(bullets).toMatchObject({ degraded: false });
      const full = await client.must('queryMemory', { body: { ...body, return: 'full' } });
      const [hit] = full.memories as QueryHit[];
      expect(hit!.id).toBe(bullets.memories[0]!.id);
      expect(hit!.score).toBeGreaterThan(0);
      expect(hit!.sources[0]!.quote).toMatch(/allergic to peanuts/);
    });

    it('returns no memories of another user', async () => {
      const body = { query: 'allergic to peanuts', filters: { user_id: 'bob' } };
      expect((await client.must('queryMemory', { body })).memories).toEqual([]);
    });
  });

  it('stores the same conversation only once', async () => {
    const body = { ...CONVERSATION, user_id: 'seen' };
    const first = await client.call('postConversation', { body });
    expect(first.status).toBe(202);
    const again = await client.call('postConversation', { body });
    expect(again.status).toBe(200);
    expect(again.ok && again.body).toMatchObject({ batch_ids: [], accepted: 0, duplicates: 4 });
  });

  it('counts known statements as duplicates', async () => {
    await postDone(makePost([1, 2], { userId: 'twice', threadId: 'a' }));
    const { batches } = await postDone(makePost([1, 2], { userId: 'twice', threadId: 'b' }));
    expect(batches[0]).toMatchObject({ inserted: 0 });
    const memories = await list('twice');
    expect(memories).toHaveLength(2);
    expect(memories[0]!.sources.map(({ thread_id }) => thread_id).toSorted()).toEqual(['a', 'b']);
  });

  it('rejects a known message id with other content, and stores nothing of that post', async () => {
    const { accepted } = await postDone(makePost([1], { userId: 'conflict', threadId: 't' }));
    const [message] = makePost([1], { userId: 'conflict', threadId: 't' }).messages;
    const problem = await client.mustFail('postConversation', {
      body: {
        user_id: 'conflict',
        thread_id: 't',
        messages: [
          { id: 'new', role: 'user', content: renderFactMessage(2) },
          { ...message!, content: renderFactMessage(3) },
        ],
      },
    });
    expect(problem).toMatchObject({ status: 409, code: 'message_conflict' });
    expect(problem.errors?.[0]?.path).toBe('body.messages[1].id');
    const conversation = await client.must('getConversation', { params: { id: accepted.conversation_id } });
    expect(conversation.message_count).toBe(1);
  });

  it('replays the first response to a request that is repeated with its Idempotency-Key', async () => {
    const body = { user_id: 'idem', messages: [{ role: 'user' as const, content: renderFactMessage(1) }], flush: true };
    const headers = { 'idempotency-key': 'post-1' };
    const first = await client.call('postConversation', { body, headers });
    const again = await client.call('postConversation', { body, headers });
    expect(again.status).toBe(202);
    expect(JSON.parse(again.text)).toEqual(JSON.parse(first.text));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = { ...body, messages: [{ role: 'user' as const, content: renderFactMessage(2) }] };
    const problem = await client.mustFail('postConversation', { body: other, headers });
    expect(problem).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    await waitUntilDone(client, first.ok ? first.body.batch_ids : [], { explain });
    expect(await list('idem')).toHaveLength(1);
  });

  it('collects ten quick messages in one batch', async () => {
    const accepted = await mapConcurrently(
      Array.from({ length: 10 }, (_, turn) => turn),
      (turn) => post(makePost([turn], { userId: 'quick', threadId: 'talk' })),
    );
    const ids = new Set(accepted.flatMap(({ batch_ids }) => batch_ids));
    expect(ids.size).toBe(1);
    await end(accepted[0]!);
    const [batch] = await waitUntilDone(client, [...ids], { explain });
    expect(batch).toMatchObject({ messages: 10, inserted: 10, sealed: true });
  });

  it('seals the batch without waiting for the window on flush or at the end of the conversation', async () => {
    const flushed = await post({ ...makePost([1], { userId: 'hurry', threadId: 'a' }), flush: true });
    const waiting = await post(makePost([2], { userId: 'hurry', threadId: 'b' }));
    const open = await client.must('getBatch', { params: { id: waiting.batch_ids[0]! } });
    expect(open).toMatchObject({ sealed: false, messages: 1 });
    const ended = await end(waiting);
    expect(ended).toMatchObject({ state: 'ended', batch_ids: waiting.batch_ids });
    const withEnd = await post({ ...makePost([3], { userId: 'hurry', threadId: 'c' }), end: true });
    const ids = [flushed, waiting, withEnd].flatMap(({ batch_ids }) => batch_ids);
    const sealed = await Promise.all(ids.map((id) => client.must('getBatch', { params: { id } })));
    expect(sealed.map((batch) => batch.sealed)).toEqual([true, true, true]);
    await waitUntilDone(client, ids, { explain });
    const conversation = await client.must('getConversation', { params: { id: withEnd.conversation_id } });
    expect(conversation.state).toBe('ended');
  });

  it('accepts 500 messages in one post, in batches of 50', async () => {
    const facts = Array.from({ length: 500 }, (_, fact) => fact);
    const { accepted, batches } = await postDone(makePost(facts, { userId: 'many', threadId: 't' }));
    expect(accepted.accepted).toBe(500);
    expect(batches).toHaveLength(10);
    expect(batches.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(500);
  });

  it('streams the events of a batch until it is done, and resumes after the last event of the client', async () => {
    const accepted = await post(makePost([1], { userId: 'stream', threadId: 't' }));
    const path = `/v1/batches/${accepted.batch_ids[0]}/events`;
    const headers = { authorization: `Bearer ${system.tenantKey}` };
    const response = await fetch(client.address() + path, { headers });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events: ServerSentEvent[] = [];
    for await (const event of readEventStream(response.body!)) {
      events.push(event);
      if (events.length === 1) await end(accepted);
    }
    const states = events.map(({ data }) => (JSON.parse(data) as Batch).status);
    expect(events.every(({ event }) => event === 'status')).toBe(true);
    expect(states[0]).not.toBe('done');
    expect(states.at(-1)).toBe('done');
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));

    const seen = { ...headers, 'last-event-id': events[0]!.id! };
    const rest = await fetch(client.address() + path, { headers: seen });
    const later = await collectEvents(rest.body!);
    expect(later.map(({ id }) => id)).toEqual([events.at(-1)!.id]);
    const over = await fetch(client.address() + path, { headers: { ...headers, 'last-event-id': events.at(-1)!.id! } });
    expect(over.status).toBe(204);
  });

  it('deletes, restores and supersedes memories, and records each change in the history', async () => {
    const { accepted } = await postDone(makePost([1], { userId: 'edit', threadId: 't' }));
    const [memory] = await list('edit');
    const params = { id: memory!.id };
    expect(await client.must('deleteMemory', { params })).toMatchObject({ state: 'soft_deleted' });
    expect(await list('edit')).toEqual([]);
    expect((await client.must('restoreMemory', { params })).outcome).not.toBe('unchanged');
    const pinned = await client.must('patchMemory', { params, body: { pinned: true, importance: 5 } });
    expect(pinned).toMatchObject({ outcome: 'updated', memory: { id: memory!.id, pinned: true, importance: 5 } });
    const changed = await client.must('patchMemory', { params, body: { content: 'The user collects old coins.' } });
    expect(changed.outcome).toBe('superseded');
    expect(changed.memory.id).not.toBe(memory!.id);
    expect(await client.must('getMemory', { params })).toMatchObject({ superseded_by: changed.memory.id });
    expect((await list('edit')).map(({ content }) => content)).toEqual(['The user collects old coins.']);
    const { items } = await client.must('getMemoryHistory', { params });
    expect(items.map(({ event }) => event)).toEqual(['UPDATE', 'UPDATE', 'RESTORE', 'DELETE', 'ADD']);
    expect(await client.mustFail('patchMemory', { params, body: { pinned: false } })).toMatchObject({
      status: 409,
      code: 'memory_not_current',
    });
    // One write, one revision: the extraction, four changes.
    const body = { query: 'coins', filters: { user_id: 'edit', thread_id: accepted.thread_id } };
    expect((await client.must('queryMemory', { body })).revision).toBe(5);
  });

  it('does not extract a deleted memory again from old evidence', async () => {
    await postDone(makePost([7], { userId: 'gone', threadId: 'a' }));
    const [memory] = await list('gone');
    const waiting = await post({
      ...makePost([7], { userId: 'gone', threadId: 'b' }),
      messages: [{ role: 'user', content: renderFactMessage(7), created_at: '2024-01-01T00:00:00Z' }],
      flush: false,
    });
    await client.must('deleteMemory', { params: { id: memory!.id } });
    await end(waiting);
    await waitUntilDone(client, waiting.batch_ids, { explain });
    expect(await list('gone')).toEqual([]);
  });

  it('returns the memories that were valid at an earlier time', async () => {
    const made = await client.must('addMemory', {
      body: {
        user_id: 'mover',
        content: 'The user lives in Berlin.',
        category: 'profile',
        valid_from: '2020-01-01T00:00:00Z',
      },
    });
    await client.must('patchMemory', {
      params: { id: made.memory.id },
      body: { content: 'The user lives in Munich.' },
    });
    const ask = async (as_of?: string) => {
      const body = { query: 'Where does the user live?', filters: { user_id: 'mover' }, ...(as_of ? { as_of } : {}) };
      return (await client.must('queryMemory', { body })).memories.map(({ text }) => text).join();
    };
    expect(await ask()).toMatch(/Munich/);
    expect(await ask()).not.toMatch(/Berlin/);
    expect(await ask('2021-06-01T00:00:00Z')).toMatch(/Berlin/);
    expect(await ask('2021-06-01T00:00:00Z')).not.toMatch(/Munich/);
    expect(await ask('2019-06-01T00:00:00Z')).toBe('');
  });

  it('adds memories by API through the same write path as extraction', async () => {
    const body = { user_id: 'hand', content: 'The user collects item 1.', category: 'interests' };
    const made = await client.call('addMemory', { body });
    expect(made.status).toBe(201);
    const { batches } = await postDone(makePost([1], { userId: 'hand', threadId: 't' }));
    expect(batches[0]).toMatchObject({ inserted: 0 });
    expect(await list('hand')).toHaveLength(1);
  });

  it('streams a batch without memories until it is done', async () => {
    const accepted = await post({ user_id: 'quiet', messages: [{ role: 'user', content: 'Hm?' }], flush: true });
    const [batch] = await waitForBatches(client, accepted.batch_ids, { explain });
    expect(batch).toMatchObject({ status: 'done', inserted: 0, error: null });
  });
});

import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { post, buildPost, buildMessage, buildMessages, WINDOW_MS } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { SecretKeyMismatchError } from '../database/errors.js';
import type { Tx } from '../database/transaction.js';
import { acceptMessages } from './accept-messages.js';
import { MessageConflictError } from './plan-post.js';

interface BatchFigures {
  id: string;
  message_count: number;
  sealed: boolean;
  state: string;
}

describe('acceptMessages', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const readBatches = () =>
    fixture.queryAsSuperuser<BatchFigures>(
      `SELECT id, message_count, sealed_at IS NOT NULL AS sealed, state FROM batches
        WHERE tenant_id = $1 ORDER BY accepted_at, id`,
      [tenant],
    );
  const readMessages = () =>
    fixture.queryAsSuperuser<{ seq: number; content: string; batch_id: string }>(
      'SELECT seq, content, batch_id FROM messages WHERE tenant_id = $1 ORDER BY conversation_id, seq',
      [tenant],
    );
  /** Delay in milliseconds from now until each batch may be released. */
  const readDelays = async () => {
    const rows = await fixture.queryAsSuperuser<{ available_at: Date }>(
      'SELECT available_at FROM work WHERE tenant_id = $1 ORDER BY available_at, id',
      [tenant],
    );
    return rows.map((row) => row.available_at.getTime() - fixture.clock.now());
  };
  const flushed = { flush: true } as const;

  it('stores user, conversation, message, open batch, and a work row due after the window', async () => {
    const message = { ...buildMessage('hello', 'm1'), role: 'tool' as const, actorId: 'bot' };
    const scope = { agentId: 'agent', runId: 'run', appId: 'app', trace: '00-trace' };
    const outcome = await post(fixture, tenant, { ...scope, messages: [message] });
    expect(outcome).toEqual({
      conversationId: expect.any(String),
      threadId: 'thread',
      created: true,
      joinsApps: true,
      batchIds: [expect.any(String)],
      accepted: 1,
      acceptedTurns: 0,
      duplicates: 0,
    });
    const now = new Date(fixture.clock.now());
    expect(await fixture.queryAsSuperuser('SELECT * FROM users WHERE tenant_id = $1', [tenant])).toMatchObject([
      { user_id: 'ada', created_at: now, chain_seq: '0' },
    ]);
    expect(await fixture.queryAsSuperuser('SELECT * FROM messages WHERE tenant_id = $1', [tenant])).toMatchObject([
      {
        conversation_id: outcome.conversationId,
        batch_id: outcome.batchIds[0],
        seq: 0,
        external_id: 'm1',
        role: 'tool',
        actor_id: 'bot',
        agent_id: 'agent',
        run_id: 'run',
        app_id: 'app',
        content: 'hello',
        content_hmac: message.contentHmac,
        said_at: new Date(message.saidAt),
        received_at: now,
      },
    ]);
    expect(await fixture.queryAsSuperuser('SELECT * FROM work WHERE tenant_id = $1', [tenant])).toMatchObject([
      { kind: 'extraction', subject_id: outcome.batchIds[0], generation: 1, released_at: null, trace: '00-trace' },
    ]);
    expect(await readBatches()).toEqual([
      { id: outcome.batchIds[0], message_count: 1, sealed: false, state: 'queued' },
    ]);
    expect(await readDelays()).toEqual([WINDOW_MS]);
  });

  it('creates a new thread for a post without thread', async () => {
    const outcome = await post(fixture, tenant, { threadId: null });
    expect(outcome.threadId).toBe(outcome.conversationId);
    expect((await post(fixture, tenant, { threadId: null })).conversationId).not.toBe(outcome.conversationId);
  });

  it('joins the open batch of the thread, which keeps the time of its first message', async () => {
    const first = await post(fixture, tenant);
    fixture.clock.advance(400);
    const second = await post(fixture, tenant, { messages: buildMessages(2) });
    expect(second.conversationId).toBe(first.conversationId);
    expect(second.batchIds).toEqual(first.batchIds);
    expect(await readBatches()).toEqual([{ id: first.batchIds[0], message_count: 3, sealed: false, state: 'queued' }]);
    expect((await readMessages()).map((row) => row.seq)).toEqual([0, 1, 2]);
    expect(await readDelays()).toEqual([WINDOW_MS - 400]);
  });

  it('gives each thread and each user a separate conversation', async () => {
    const outcomes = [
      await post(fixture, tenant),
      await post(fixture, tenant, { threadId: 'other' }),
      await post(fixture, tenant, { userId: 'grace' }),
    ];
    expect(new Set(outcomes.map((outcome) => outcome.conversationId)).size).toBe(3);
  });

  it('returns no batch when every message is a duplicate', async () => {
    await post(fixture, tenant, { messages: buildMessages(3) });
    expect(await post(fixture, tenant, { messages: buildMessages(3) })).toMatchObject({
      batchIds: [],
      accepted: 0,
      duplicates: 3,
    });
    expect((await readMessages()).length).toBe(3);
  });

  it('stores only new messages, in order, after the stored ones', async () => {
    await post(fixture, tenant, { messages: buildMessages(2) });
    const outcome = await post(fixture, tenant, {
      messages: [...buildMessages(4), buildMessage('no id'), buildMessage('no id')],
    });
    expect(outcome).toMatchObject({ accepted: 4, duplicates: 2 });
    expect((await readMessages()).map((row) => [row.seq, row.content])).toEqual([
      [0, 'words 0'],
      [1, 'words 1'],
      [2, 'words 2'],
      [3, 'words 3'],
      [4, 'no id'],
      [5, 'no id'],
    ]);
    const [conversation] = await fixture.queryAsSuperuser(
      'SELECT message_count FROM conversations WHERE tenant_id = $1',
      [tenant],
    );
    expect(conversation).toEqual({ message_count: 6 });
  });

  it('ignores a message that is repeated in the same post', async () => {
    const messages = [buildMessage('a', 'x'), buildMessage('a', 'x'), buildMessage('b', 'y')];
    expect(await post(fixture, tenant, { messages })).toMatchObject({ accepted: 2, duplicates: 1 });
    expect((await readMessages()).map((row) => row.seq)).toEqual([0, 1]);
    const [conversation] = await fixture.queryAsSuperuser(
      'SELECT message_count FROM conversations WHERE tenant_id = $1',
      [tenant],
    );
    expect(conversation).toEqual({ message_count: 2 });
  });

  it('treats message ids as unique per conversation, not beyond', async () => {
    await post(fixture, tenant, { messages: buildMessages(1) });
    expect(await post(fixture, tenant, { threadId: 'other', messages: buildMessages(1) })).toMatchObject({
      accepted: 1,
    });
  });

  it('rejects an id with different text, returns its index in the post, and stores nothing of the post', async () => {
    await post(fixture, tenant, { messages: [buildMessage('a', 'x'), buildMessage('b', 'y')] });
    const messages = [
      buildMessage('new', 'n'),
      buildMessage('a', 'x'),
      buildMessage('new', 'n'),
      buildMessage('other', 'y'),
    ];
    const error: unknown = await post(fixture, tenant, { messages }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MessageConflictError);
    expect((error as MessageConflictError).index).toBe(3);
    expect((await readMessages()).map((row) => row.content)).toEqual(['a', 'b']);
  });

  it('leaves neither user nor conversation when a first post conflicts with itself', async () => {
    const messages = [buildMessage('a', 'x'), buildMessage('b', 'x')];
    await expect(post(fixture, tenant, { messages })).rejects.toThrow(MessageConflictError);
    expect(await fixture.queryAsSuperuser('SELECT FROM users WHERE tenant_id = $1', [tenant])).toEqual([]);
  });

  it.each([
    ['a window of 0', { windowMs: 0 }],
    ['flush', { flush: true }],
    ['end', { end: true }],
  ])('seals the batch immediately with %s', async (_name, changes) => {
    const outcome = await post(fixture, tenant, changes);
    expect(await readBatches()).toMatchObject([{ sealed: true }]);
    expect(await readDelays()).toEqual([0]);
    const next = await post(fixture, tenant);
    expect(next.batchIds).not.toEqual(outcome.batchIds);
  });

  it.each([
    ['flush', { flush: true }],
    ['end', { end: true }],
  ])('seals the open batch with %s, even when the post has no new message', async (_name, changes) => {
    const messages = buildMessages(1);
    await post(fixture, tenant, { messages });
    fixture.clock.advance(100);
    await post(fixture, tenant, { messages, ...changes });
    expect(await readBatches()).toMatchObject([{ sealed: true, message_count: 1 }]);
    expect(await readDelays()).toEqual([0]);
  });

  it('refuses a user whose history was written with another secret key, and takes those without a history', async () => {
    const other = await fixture.openAnother({ chainKey: Buffer.alloc(32, 9) });
    const postWithOther = (userId: string) =>
      other.inTenant(tenant, (tx) => acceptMessages(tx, buildPost(fixture, { userId }), fixture.ids));
    await post(fixture, tenant, { userId: 'ada' });
    const before = await readMessages();
    await expect(postWithOther('ada')).rejects.toBeInstanceOf(SecretKeyMismatchError);
    expect(await readMessages()).toEqual(before);
    // A row of an earlier release records no pseudonym.
    await fixture.queryAsSuperuser('UPDATE users SET pseudonym = NULL WHERE tenant_id = $1', [tenant]);
    for (const userId of ['ada', 'bob']) expect(await postWithOther(userId)).toMatchObject({ accepted: 1 });
    await expect(post(fixture, tenant, { userId: 'bob' })).rejects.toBeInstanceOf(SecretKeyMismatchError);
  });

  it('splits 500 messages into batches of 50, all due immediately', async () => {
    const outcome = await post(fixture, tenant, { messages: buildMessages(500) });
    expect(outcome).toMatchObject({ accepted: 500, duplicates: 0 });
    expect(outcome.batchIds.length).toBe(10);
    expect(await readBatches()).toEqual(
      outcome.batchIds.map((id) => ({ id, message_count: 50, sealed: true, state: 'queued' })),
    );
    const messages = await readMessages();
    expect(messages.map((row) => row.seq)).toEqual(Array.from({ length: 500 }, (_, seq) => seq));
    expect(messages.map((row) => row.batch_id)).toEqual(outcome.batchIds.flatMap((id) => Array<string>(50).fill(id)));
    expect(await readDelays()).toEqual(Array<number>(10).fill(0));
  });

  it('fills the open batch first, seals it, and leaves only the last one open', async () => {
    const first = await post(fixture, tenant, { messages: buildMessages(30) });
    const second = await post(fixture, tenant, { messages: buildMessages(75, 30) });
    expect(second.batchIds[0]).toBe(first.batchIds[0]);
    expect((await readBatches()).map((batch) => [batch.message_count, batch.sealed])).toEqual([
      [50, true],
      [50, true],
      [5, false],
    ]);
    expect(await readDelays()).toEqual([0, 0, WINDOW_MS]);
  });

  it('seals an open batch that exceeds a reduced limit', async () => {
    await post(fixture, tenant, { messages: buildMessages(30) });
    await post(fixture, tenant, { messages: buildMessages(5, 30), maxMessages: 10 });
    expect((await readBatches()).map((batch) => [batch.message_count, batch.sealed])).toEqual([
      [30, true],
      [5, false],
    ]);
  });

  it('serializes posts to one thread: each message has a separate position, and one batch is open', async () => {
    const posts = Array.from({ length: 8 }, (_, n) => post(fixture, tenant, { messages: buildMessages(7, n * 7) }));
    const outcomes = await Promise.all(posts);
    expect(new Set(outcomes.map((outcome) => outcome.conversationId)).size).toBe(1);
    const messages = await readMessages();
    expect(messages.map((row) => row.seq)).toEqual(Array.from({ length: 56 }, (_, seq) => seq));
    expect((await readBatches()).map((batch) => [batch.message_count, batch.sealed])).toEqual([
      [50, true],
      [6, false],
    ]);
    const [conversation] = await fixture.queryAsSuperuser(
      'SELECT message_count FROM conversations WHERE tenant_id = $1',
      [tenant],
    );
    expect(conversation).toEqual({ message_count: 56 });
  });

  it('stores a message once when two concurrent posts contain it', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => post(fixture, tenant, { messages: buildMessages(3) })));
    expect(outcomes.map((outcome) => outcome.accepted).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3]);
    expect((await readMessages()).length).toBe(3);
  });

  it('reopens an ended conversation with new messages, not with duplicates', async () => {
    const endedAt = async () => {
      const [row] = await fixture.queryAsSuperuser<{ ended_at: Date | null }>(
        'SELECT ended_at FROM conversations WHERE tenant_id = $1',
        [tenant],
      );
      return row!.ended_at?.getTime() ?? null;
    };
    const ended = fixture.clock.now();
    await post(fixture, tenant, { messages: buildMessages(1), end: true });
    fixture.clock.advance(1_000);
    await post(fixture, tenant, { messages: buildMessages(1) });
    await post(fixture, tenant, { messages: buildMessages(1), end: true });
    expect(await endedAt()).toBe(ended);
    await post(fixture, tenant, { messages: buildMessages(2), ...flushed });
    expect(await endedAt()).toBeNull();
    await post(fixture, tenant, { messages: buildMessages(3), end: true });
    expect(await endedAt()).toBe(fixture.clock.now());
  });

  it('raises the revision of a batch that grows or closes, so that polling clients see a change', async () => {
    const revision = async () => {
      const [row] = await fixture.queryAsSuperuser<{ revision: number }>(
        'SELECT revision FROM batches WHERE tenant_id = $1',
        [tenant],
      );
      return row!.revision;
    };
    await post(fixture, tenant);
    const created = await revision();
    await post(fixture, tenant);
    const grown = await revision();
    await post(fixture, tenant, flushed);
    expect([grown > created, (await revision()) > grown]).toEqual([true, true]);
  });

  describe('with a priority', () => {
    const bulk = { priority: 'bulk' } as const;
    /** The batch's priority, and how far its rank is ahead of its due time. */
    const readPriorities = () =>
      fixture.queryAsSuperuser(
        `SELECT b.priority, (extract(epoch FROM o.available_at - o.rank_at) * 1000)::integer AS ahead_ms
           FROM batches b JOIN work o ON o.subject_id = b.id WHERE b.tenant_id = $1 ORDER BY b.id`,
        [tenant],
      );
    const INTERACTIVE = { priority: 'interactive', ahead_ms: INTERACTIVE_PRIORITY_BOOST_MS };
    const BULK = { priority: 'bulk', ahead_ms: 0 };

    it('boosts interactive work, and not bulk work', async () => {
      await post(fixture, tenant, { threadId: 'a' });
      await post(fixture, tenant, { threadId: 'b', ...bulk });
      await post(fixture, tenant, { threadId: 'c', ...bulk, messages: buildMessages(51) });
      expect(await readPriorities()).toEqual([INTERACTIVE, BULK, BULK, BULK]);
    });

    it.each([
      ['bulk', 'bulk', BULK],
      ['bulk', 'interactive', INTERACTIVE],
      ['interactive', 'bulk', INTERACTIVE],
      ['interactive', 'interactive', INTERACTIVE],
    ] as const)(
      'sets the priority of a batch that is %s after a post that is %s joins it',
      async (first, second, expected) => {
        await post(fixture, tenant, { priority: first });
        fixture.clock.advance(100);
        await post(fixture, tenant, { priority: second });
        expect(await readPriorities()).toEqual([expected]);
        expect(await readBatches()).toMatchObject([{ message_count: 2 }]);
      },
    );

    it('keeps the boost when the batch is sealed, in the same post or by a later one', async () => {
      await post(fixture, tenant, { threadId: 'a', ...bulk });
      await post(fixture, tenant, { threadId: 'a', ...flushed });
      await post(fixture, tenant, { threadId: 'b', ...bulk });
      await post(fixture, tenant, { threadId: 'b', ...bulk, ...flushed });
      expect(await readPriorities()).toEqual([INTERACTIVE, BULK]);
      expect(await readDelays()).toEqual([0, 0]);
    });

    it('does not boost a batch that a post does not join', async () => {
      await post(fixture, tenant, { ...bulk, messages: buildMessages(1) });
      await post(fixture, tenant, { messages: buildMessages(1) });
      await post(fixture, tenant, { messages: [], ...flushed });
      expect(await readPriorities()).toEqual([BULK]);
    });
  });

  it('runs few statements, however many messages a post has', async () => {
    const countStatements = (messages: number) =>
      fixture.inTenant(tenant, async (tx) => {
        let statements = 0;
        const counting = new Proxy(tx, {
          get: (target, name: keyof Tx) => {
            if (name === 'query' || name === 'execute' || name === 'each') statements++;
            const member = target[name];
            return typeof member === 'function' ? member.bind(target) : member;
          },
        });
        const input = buildPost(fixture, { threadId: `thread ${messages}`, messages: buildMessages(messages) });
        await acceptMessages(counting, input, fixture.ids);
        return statements;
      });
    expect(await countStatements(1)).toBe(3);
    expect(await countStatements(500)).toBe(3);
  });
});

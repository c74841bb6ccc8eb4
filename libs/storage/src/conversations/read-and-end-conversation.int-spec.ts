import { INTERACTIVE_PRIORITY_BOOST_MS } from '@annals/contracts';
import { InvalidCursorError } from '../database/cursor.js';
import { post, buildMessage, buildMessages } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { endConversation, getConversation } from './read-and-end-conversation.js';

describe('a stored conversation', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenant = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  const read = (id: string, limit = 100, cursor?: string | null) =>
    fixture.inTenant(tenant, (tx) => getConversation(tx, id, { limit, cursor: cursor ?? undefined }));
  const end = (id: string) =>
    fixture.inTenant(tenant, (tx) => endConversation(tx, id, fixture.clock.now(), { ids: fixture.ids, trace: null }));

  describe('getConversation', () => {
    it('returns the conversation with its messages', async () => {
      const message = { ...buildMessage('hello', 'm1'), actorId: 'ada' };
      const { conversationId, batchIds } = await post(fixture, tenant, { agentId: 'agent', messages: [message] });
      const now = new Date(fixture.clock.now()).toISOString();
      expect(await read(conversationId)).toEqual({
        id: conversationId,
        user_id: 'ada',
        thread_id: 'thread',
        agent_id: 'agent',
        run_id: null,
        app_id: null,
        kind: 'conversation',
        state: 'open',
        message_count: 1,
        created_at: now,
        updated_at: now,
        ended_at: null,
        messages: [
          {
            id: expect.any(String),
            external_id: 'm1',
            seq: 0,
            role: 'user',
            actor_id: 'ada',
            content: 'hello',
            created_at: new Date(message.saidAt).toISOString(),
            batch_id: batchIds[0],
          },
        ],
        next_cursor: null,
      });
    });

    it('pages through all messages without gap or repetition', async () => {
      const { conversationId } = await post(fixture, tenant, { messages: buildMessages(7) });
      const seqs: number[][] = [];
      let cursor: string | null | undefined;
      do {
        const page = await read(conversationId, 3, cursor);
        seqs.push(page!.messages.map((message) => message.seq));
        cursor = page!.next_cursor;
      } while (cursor !== null);
      expect(seqs).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    });

    it('rejects a cursor that it did not issue', async () => {
      const { conversationId } = await post(fixture, tenant);
      await expect(read(conversationId, 3, 'nonsense')).rejects.toThrow(InvalidCursorError);
    });

    it('returns null for a conversation of another tenant', async () => {
      const { conversationId } = await post(fixture, tenant);
      tenant = await fixture.addTenant();
      expect(await read(conversationId)).toBeNull();
    });
  });

  describe('endConversation', () => {
    it('seals the open batch, which is due immediately', async () => {
      const { conversationId, batchIds } = await post(fixture, tenant);
      fixture.clock.advance(100);
      expect(await end(conversationId)).toEqual({ conversationId, endedAt: fixture.clock.now(), batchIds });
      const now = new Date(fixture.clock.now());
      expect(
        await fixture.queryAsSuperuser(
          `SELECT b.sealed_at, o.available_at, o.rank_at FROM batches b JOIN work o ON o.subject_id = b.id
            WHERE b.tenant_id = $1`,
          [tenant],
        ),
      ).toEqual([
        { sealed_at: now, available_at: now, rank_at: new Date(fixture.clock.now() - INTERACTIVE_PRIORITY_BOOST_MS) },
      ]);
      expect(await read(conversationId)).toMatchObject({ state: 'ended', ended_at: now.toISOString() });
    });

    it('keeps the time of the first end', async () => {
      const { conversationId } = await post(fixture, tenant);
      const first = await end(conversationId);
      fixture.clock.advance(100);
      expect(await end(conversationId)).toEqual({ conversationId, endedAt: first!.endedAt, batchIds: [] });
    });

    it('does not change work that is already released', async () => {
      const { conversationId, batchIds } = await post(fixture, tenant);
      await fixture.queryAsSuperuser('UPDATE work SET released_at = available_at WHERE subject_id = $1', [batchIds[0]]);
      const before = await fixture.queryAsSuperuser('SELECT * FROM work WHERE subject_id = $1', [batchIds[0]]);
      await end(conversationId);
      expect(await fixture.queryAsSuperuser('SELECT * FROM work WHERE subject_id = $1', [batchIds[0]])).toEqual(before);
    });

    it('returns null for a conversation of another tenant, and does not end it', async () => {
      const { conversationId } = await post(fixture, tenant);
      const owner = tenant;
      tenant = await fixture.addTenant();
      expect(await end(conversationId)).toBeNull();
      tenant = owner;
      expect(await read(conversationId)).toMatchObject({ state: 'open' });
    });

    it('is serialized with a post: in either order, no batch remains open by mistake', async () => {
      const { conversationId } = await post(fixture, tenant);
      await Promise.all([end(conversationId), post(fixture, tenant, { messages: buildMessages(2) })]);
      const batches = await fixture.queryAsSuperuser<{ message_count: number; sealed: boolean }>(
        `SELECT message_count, sealed_at IS NOT NULL AS sealed FROM batches WHERE tenant_id = $1 ORDER BY id`,
        [tenant],
      );
      expect([
        [{ message_count: 3, sealed: true }],
        [
          { message_count: 1, sealed: true },
          { message_count: 2, sealed: false },
        ],
      ]).toContainEqual(batches);
    });
  });
});

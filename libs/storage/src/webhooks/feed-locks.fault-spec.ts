import { randomBytes } from 'node:crypto';
import type { Tx } from '../database/transaction.js';
import { failBatch } from '../batches/fail-and-replay.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWebhook, FeedSenders, readDeliveries } from '../fixtures/webhook.fixture.js';
import { writeMemories } from '../memories/write-memories.js';
import { forgetConversation } from '../privacy/forget-conversation.js';

describe('locks of webhooks', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture, tenantId } = recall);
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const fail = (batchId: string) =>
    fixture.inTenant(tenantId, (tx) =>
      failBatch(tx, {
        batchId,
        kind: 'extraction',
        generation: 1,
        code: 'refused',
        message: 'On purpose.',
        now: fixture.clock.now(),
      }),
    );

  it('keep no sender waiting: it looks at the feed again', async () => {
    const senders = new FeedSenders(fixture);
    await addWebhook(fixture, tenantId);
    await recall.remember('ada', 'Ada drinks tea.');
    const [hold] = await senders.lease();
    const outcome = await senders.attempt(hold!);
    await fixture.inTenant(tenantId, async (tx) => {
      await tx.query('SELECT FROM webhook_feeds FOR UPDATE');
      expect(await senders.advance(hold!, outcome)).toBe('locked');
    });
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['pending']);
    expect(await senders.advance(hold!, outcome)).toBeNull();
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['delivered']);
  });

  it('leave the place of a locked feed to another tenant', async () => {
    const [locked, other] = [await fixture.addTenant(), await fixture.addTenant()];
    const senders = new FeedSenders(fixture);
    for (const tenant of [locked, other]) {
      await addWebhook(fixture, tenant);
      await new RecallFixture(fixture, tenant).remember('cleo', 'Cleo drinks tea.');
    }
    await fixture.inTenant(locked, async (tx) => {
      await tx.query('SELECT FROM webhook_feeds FOR UPDATE');
      expect(await senders.lease({ limit: 1 })).toMatchObject([{ tenantId: other }]);
    });
    expect(await senders.lease({ limit: 1 })).toMatchObject([{ tenantId: locked }]);
  });

  it('exclude a deadlock of a conversation that is deleted and a batch of it that fails', async () => {
    await addWebhook(fixture, tenantId);
    const batchId = await recall.postTurns('dan', 'thread', 'I drink tea.');
    const [message] = await fixture.queryAsSuperuser<{ id: string; conversation_id: string }>(
      'SELECT m.id, m.conversation_id FROM messages m JOIN batches b ON b.conversation_id = m.conversation_id WHERE b.id = $1',
      [batchId],
    );
    const sources = [{ messageId: message!.id, quote: 'I drink tea.' }];
    await recall.write('dan', recall.observe('Dan drinks tea.', { sources }));
    let failed: Promise<boolean> | undefined;
    const forgotten = await fixture.inTenant(tenantId, (tx) => {
      const query: Tx['query'] = tx.query.bind(tx);
      tx.query = async <R extends object>(sql: string, parameters?: readonly unknown[]) => {
        // Behind the loss of the memory's source, which was noted.
        if (sql.includes('forget_conversation(')) {
          failed = fail(batchId);
          await fixture.waitForLockWaits(1, 'the failure waits');
        }
        return query<R>(sql, parameters);
      };
      const command = { conversationId: message!.conversation_id, actor: 'test', acceptingRoute: 'test' };
      return forgetConversation(tx, command, dependencies());
    });
    expect(forgotten!.memories_kept).toHaveLength(1);
    // It was deleted meanwhile.
    expect(await failed).toBe(false);
  });

  it('exclude a deadlock of a write and a batch that fails, whatever each endpoint asked for', async () => {
    const keys = [
      await addWebhook(fixture, tenantId, { id: 'batches', events: ['batch.done', 'batch.failed'] }),
      await addWebhook(fixture, tenantId, { id: 'all' }),
    ];
    // A feed of the first is locked before one of the second, by whoever notes events of batches alone.
    expect(keys).toEqual(keys.toSorted());
    const [done, failing] = [
      await recall.postTurns('bob', 'one', 'I drink tea.'),
      await recall.postTurns('bob', 'two', 'I drink coffee.'),
    ];
    let failed: Promise<boolean> | undefined;
    await fixture.inTenant(tenantId, async (tx) => {
      const changes = [recall.observe('Bob drinks tea.')];
      await writeMemories(tx, { userId: 'bob', actor: 'test', node: 'api', changes }, dependencies());
      // Not before every statement of the write has run, the last of which nothing awaits until the end.
      await tx.query('SELECT');
      failed = fail(failing);
      await fixture.waitForLockWaits(1, 'the other one waits');
      await tx.execute(`UPDATE batches SET state = 'done', finished_at = now() WHERE id = $1`, [done]);
    });
    expect(await failed).toBe(true);
    const told = (await readDeliveries(fixture, tenantId)).filter(
      (row) => row.webhook_key === keys[1] && row.owner === 'bob',
    );
    expect(told.map(({ type }) => type)).toEqual(['memory.created', 'batch.done', 'batch.failed']);
  });
});

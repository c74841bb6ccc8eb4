import { randomBytes } from 'node:crypto';
import { waitUntil } from '@annals/testing';
import { failBatch } from '../batches/fail-and-replay.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWebhook, FeedSenders, readDeliveries } from '../fixtures/webhook.fixture.js';
import { writeMemories } from '../memories/write-memories.js';

describe('locks of webhooks', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture, tenantId } = recall);
  });
  afterAll(() => fixture.close());

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
      const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
      await writeMemories(tx, { userId: 'bob', actor: 'test', node: 'api', changes }, dependencies);
      // Not before every statement of the write has run, the last of which nothing awaits until the end.
      await tx.query('SELECT');
      failed = fixture.inTenant(tenantId, (other) =>
        failBatch(other, {
          batchId: failing,
          kind: 'extraction',
          generation: 1,
          code: 'refused',
          message: 'On purpose.',
          now: fixture.clock.now(),
        }),
      );
      await waitUntil(async () => (await fixture.countLockWaits()) === 1, { describe: 'the other one waits' });
      await tx.execute(`UPDATE batches SET state = 'done', finished_at = now() WHERE id = $1`, [done]);
    });
    expect(await failed).toBe(true);
    const told = (await readDeliveries(fixture, tenantId)).filter(
      (row) => row.webhook_key === keys[1] && row.owner === 'bob',
    );
    expect(told.map(({ type }) => type)).toEqual(['memory.created', 'batch.done', 'batch.failed']);
  });
});

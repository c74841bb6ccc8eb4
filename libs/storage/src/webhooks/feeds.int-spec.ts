import { addWebhook, FeedSenders, readDeliveries } from '../fixtures/webhook.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { purgeWebhookDeliveries, readWebhookStanding } from './deliveries.js';
import { testWebhook } from './webhooks.js';
import { type FeedHold, releaseFeed } from './feeds.js';

describe('feeds of webhooks', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;
  let senders: FeedSenders;

  beforeAll(async () => {
    ({ fixture } = await RecallFixture.open());
    senders = new FeedSenders(fixture);
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('DELETE FROM webhook_feeds');
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const now = () => fixture.clock.now();
  const remember = async (...users: string[]) => {
    for (const userId of users) await recall.remember(userId, `Person ${userId} drinks tea.`);
  };
  const feedsOf = (holds: readonly FeedHold[]) => holds.map(({ owner }) => owner).toSorted();

  it('belong to one sender until its lease ends, whose record nobody takes from then on', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    const claims = await Promise.all([senders.lease(), senders.lease(), senders.lease()]);
    const [first, ...others] = claims.flat();
    expect(others).toEqual([]);
    const outcome = await senders.attempt(first!, { responseStatus: 204 });
    fixture.clock.advance(senders.leaseMs);
    const [second] = await senders.lease();
    expect(second).toMatchObject({ owner: 'ada', leaseId: expect.not.stringMatching(first!.leaseId) as string });
    expect(await senders.advance(first!, outcome)).toBe('lost');
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['pending']);
    expect(await senders.advance(second!, outcome)).toBeNull();
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['delivered']);
  });

  it('are given back when they are empty, and due again with the next event', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    const [hold] = await senders.lease();
    expect(await senders.advance(hold!, await senders.attempt(hold!, {}))).toBeNull();
    expect(await senders.lease()).toEqual([]);
    await recall.remember('ada', 'Ada drinks coffee.');
    expect(feedsOf(await senders.lease())).toEqual(['ada']);
  });

  it('of several endpoints are served in turn, each up to its limit', async () => {
    const [one, two] = [
      await addWebhook(fixture, tenantId, { id: 'one' }),
      await addWebhook(fixture, tenantId, { id: 'two' }),
    ];
    await remember('ada', 'bob', 'cleo');
    const claimed = await senders.lease({ limit: 4, perWebhook: 2 });
    const byEndpoint = Object.groupBy(claimed, ({ webhookKey }) => webhookKey);
    expect([byEndpoint[one]!.length, byEndpoint[two]!.length]).toEqual([2, 2]);
    expect(await senders.lease({ perWebhook: 2 })).toEqual([]);
  });

  it('of an endpoint that fails are served one at a time, behind all others and up to a limit of their own', async () => {
    await addWebhook(fixture, tenantId, { id: 'bad' });
    await remember('ada', 'bob', 'cleo', 'dan', 'eve');
    for (const hold of await senders.lease({ perWebhook: 3 })) await senders.fail(hold);
    const good = await addWebhook(fixture, tenantId, { id: 'good' });
    await remember('finn', 'gus');
    expect(await senders.lease({ limit: 2 })).toMatchObject([
      { webhookKey: good, isFailing: false },
      { webhookKey: good, isFailing: false },
    ]);
    expect(await senders.lease({ limitFailing: 0 })).toEqual([]);
    expect(await senders.lease()).toMatchObject([{ isFailing: true }]);
    expect(await senders.lease()).toEqual([]);
    expect(await readWebhookStanding(fixture.database, now())).toMatchObject({ failing: 1 });
  });

  it('of an endpoint that is paused, disabled or asked for a pause are served by nobody', async () => {
    await addWebhook(fixture, tenantId, { enabled: false });
    await remember('ada');
    expect(await senders.lease()).toEqual([]);
    await addWebhook(fixture, tenantId);
    const [hold] = await senders.lease();
    const pausedUntil = now() + 600_000;
    await senders.advance(
      hold!,
      await senders.attempt(hold!, { kind: 'retry', failure: 'status', retryAt: now(), pausedUntil }),
    );
    expect(await senders.lease()).toEqual([]);
    fixture.clock.advance(600_000);
    expect(feedsOf(await senders.lease())).toEqual(['ada']);
  });

  it('send a test as soon as it is asked for, with what waits before it', async () => {
    const webhookKey = await addWebhook(fixture, tenantId);
    const test = () => fixture.inTenant(tenantId, (tx) => testWebhook(tx, webhookKey, fixture.ids.next(), now()));
    await test();
    const [hold] = await senders.lease();
    await senders.fail(hold!);
    expect(await senders.lease()).toEqual([]);
    await test();
    expect(feedsOf(await senders.lease())).toEqual(['']);
  });

  it('go behind others that are due when their turn is over', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    fixture.clock.advance(1_000);
    await remember('bob');
    fixture.clock.advance(1_000);
    const [first] = await senders.lease({ limit: 1 });
    expect(first!.owner).toBe('ada');
    await fixture.inTenant(tenantId, (tx) => releaseFeed(tx, first!, now()));
    expect((await senders.lease({ limit: 1 }))[0]!.owner).toBe('bob');
  });

  it('are all due when an endpoint works again after a long outage, and not after a short one', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada', 'bob');
    const recover = async (outageMs: number) => {
      const [ada, bob] = (await senders.lease()).toSorted((a, b) => a.owner.localeCompare(b.owner));
      for (const hold of [ada!, bob!]) {
        const outcome = await senders.attempt(hold, {
          kind: 'retry',
          failure: 'timeout',
          retryAt: now() + outageMs + 3_600_000,
        });
        await senders.advance(hold, outcome);
      }
      fixture.clock.advance(outageMs);
      await recall.remember('cleo', `Cleo was away for ${outageMs} ms.`);
      const [cleo] = await senders.lease();
      await senders.advance(cleo!, await senders.attempt(cleo!, {}));
      return feedsOf(await senders.lease());
    };
    expect(await recover(60_000)).toEqual([]);
    fixture.clock.advance(2 * 3_600_000);
    expect(await recover(20 * 60_000)).toEqual(['ada', 'bob']);
  });

  it('that a write noted for an endpoint that was being deleted go when they are old', async () => {
    const webhookKey = await addWebhook(fixture, tenantId);
    await remember('ada');
    await fixture.queryAsSuperuser('DELETE FROM webhooks WHERE webhook_key = $1', [webhookKey]);
    expect(await senders.lease()).toEqual([]);
    fixture.clock.advance(1_000);
    await purgeWebhookDeliveries(fixture.database, now(), 100);
    expect(await readDeliveries(fixture, tenantId)).toEqual([]);
    expect(await fixture.queryAsSuperuser('SELECT FROM webhook_feeds')).toEqual([]);
  });

  it('count as overdue while their endpoint is sent nothing, not while it is slow', async () => {
    await addWebhook(fixture, tenantId);
    const before = await readWebhookStanding(fixture.database, now());
    await remember('ada', 'bob');
    const dueAt = now();
    fixture.clock.advance(5_000);
    const standing = await readWebhookStanding(fixture.database, now());
    expect(standing).toMatchObject({ oldestDueAt: dueAt, pending: before.pending + 2 });
    await senders.lease({ limit: 1 });
    expect((await readWebhookStanding(fixture.database, now())).oldestDueAt).toBeNull();
  });
});

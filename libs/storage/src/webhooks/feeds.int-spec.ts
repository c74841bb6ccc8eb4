import { addWebhook, readDeliveries } from '../fixtures/webhook.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { purgeWebhookDeliveries, readWebhookStanding } from './deliveries.js';
import { testWebhook } from './webhooks.js';
import { advanceFeed, type AttemptOutcome, type FeedHold, leaseWebhookFeeds, releaseFeed } from './feeds.js';

const LEASE_MS = 30_000;

describe('feeds of webhooks', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;

  beforeAll(async () => {
    ({ fixture } = await RecallFixture.open());
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('DELETE FROM webhook_feeds');
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const now = () => fixture.clock.now();
  const lease = (limits: Partial<Parameters<typeof leaseWebhookFeeds>[1]> = {}) =>
    leaseWebhookFeeds(fixture.database, {
      now: now(),
      limit: 100,
      limitFailing: 50,
      perWebhook: 8,
      leaseMs: LEASE_MS,
      ...limits,
    });
  const advance = (hold: FeedHold, outcome: AttemptOutcome | null = null) =>
    fixture.inTenant(hold.tenantId, (tx) =>
      advanceFeed(tx, hold, outcome, { now: now(), leaseMs: LEASE_MS, ids: fixture.ids }),
    );
  /** The attempt at the first event of a feed. */
  const attempt = async (hold: FeedHold, fields: Partial<AttemptOutcome>): Promise<AttemptOutcome> => {
    const delivery = await advance(hold);
    if (delivery === null || delivery === 'lost') throw new Error('There is nothing to send.');
    const none = { responseStatus: null, failure: null, retryAt: null, pausedUntil: null, disable: null };
    return { ...none, kind: 'delivered', delivery, ...fields };
  };
  const fail = async (hold: FeedHold) => {
    const outcome = await attempt(hold, { kind: 'retry', failure: 'timeout', retryAt: now() + 60_000 });
    await advance(hold, outcome);
  };
  const remember = async (...users: string[]) => {
    for (const userId of users) await recall.remember(userId, `Person ${userId} drinks tea.`);
  };
  const feedsOf = (holds: readonly FeedHold[]) => holds.map(({ owner }) => owner).toSorted();

  it('belong to one sender until its lease ends, whose record nobody takes from then on', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    const claims = await Promise.all([lease(), lease(), lease()]);
    const [first, ...others] = claims.flat();
    expect(others).toEqual([]);
    const outcome = await attempt(first!, { responseStatus: 204 });
    fixture.clock.advance(LEASE_MS);
    const [second] = await lease();
    expect(second).toMatchObject({ owner: 'ada', fence: first!.fence + 1 });
    expect(await advance(first!, outcome)).toBe('lost');
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['pending']);
    expect(await advance(second!, outcome)).toBeNull();
    expect((await readDeliveries(fixture, tenantId)).map(({ status }) => status)).toEqual(['delivered']);
  });

  it('are given back when they are empty, and due again with the next event', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    const [hold] = await lease();
    expect(await advance(hold!, await attempt(hold!, {}))).toBeNull();
    expect(await lease()).toEqual([]);
    await recall.remember('ada', 'Ada drinks coffee.');
    expect(feedsOf(await lease())).toEqual(['ada']);
  });

  it('of several endpoints are served in turn, each up to its limit', async () => {
    const [one, two] = [
      await addWebhook(fixture, tenantId, { id: 'one' }),
      await addWebhook(fixture, tenantId, { id: 'two' }),
    ];
    await remember('ada', 'bob', 'cleo');
    const claimed = await lease({ limit: 4, perWebhook: 2 });
    const byEndpoint = Object.groupBy(claimed, ({ webhookKey }) => webhookKey);
    expect([byEndpoint[one]!.length, byEndpoint[two]!.length]).toEqual([2, 2]);
    expect(await lease({ perWebhook: 2 })).toEqual([]);
  });

  it('of an endpoint that fails are served one at a time, behind all others and up to a limit of their own', async () => {
    await addWebhook(fixture, tenantId, { id: 'bad' });
    await remember('ada', 'bob', 'cleo', 'dan', 'eve');
    for (const hold of await lease({ perWebhook: 3 })) await fail(hold);
    const good = await addWebhook(fixture, tenantId, { id: 'good' });
    await remember('finn', 'gus');
    expect(await lease({ limit: 2 })).toMatchObject([
      { webhookKey: good, isFailing: false },
      { webhookKey: good, isFailing: false },
    ]);
    expect(await lease({ limitFailing: 0 })).toEqual([]);
    expect(await lease()).toMatchObject([{ isFailing: true }]);
    expect(await lease()).toEqual([]);
    expect(await readWebhookStanding(fixture.database, now())).toMatchObject({ failing: 1 });
  });

  it('of an endpoint that is paused, disabled or asked for a pause are served by nobody', async () => {
    await addWebhook(fixture, tenantId, { enabled: false });
    await remember('ada');
    expect(await lease()).toEqual([]);
    await addWebhook(fixture, tenantId);
    const [hold] = await lease();
    const pausedUntil = now() + 600_000;
    await advance(hold!, await attempt(hold!, { kind: 'retry', failure: 'status', retryAt: now(), pausedUntil }));
    expect(await lease()).toEqual([]);
    fixture.clock.advance(600_000);
    expect(feedsOf(await lease())).toEqual(['ada']);
  });

  it('send a test as soon as it is asked for, with what waits before it', async () => {
    const webhookKey = await addWebhook(fixture, tenantId);
    const test = () => fixture.inTenant(tenantId, (tx) => testWebhook(tx, webhookKey, fixture.ids.next(), now()));
    await test();
    const [hold] = await lease();
    await fail(hold!);
    expect(await lease()).toEqual([]);
    await test();
    expect(feedsOf(await lease())).toEqual(['']);
  });

  it('go behind others that are due when their turn is over', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada');
    fixture.clock.advance(1_000);
    await remember('bob');
    fixture.clock.advance(1_000);
    const [first] = await lease({ limit: 1 });
    expect(first!.owner).toBe('ada');
    await fixture.inTenant(tenantId, (tx) => releaseFeed(tx, first!, now()));
    expect((await lease({ limit: 1 }))[0]!.owner).toBe('bob');
  });

  it('are all due when an endpoint works again after a long outage, and not after a short one', async () => {
    await addWebhook(fixture, tenantId);
    await remember('ada', 'bob');
    const recover = async (outageMs: number) => {
      const [ada, bob] = (await lease()).toSorted((a, b) => a.owner.localeCompare(b.owner));
      for (const hold of [ada!, bob!]) {
        const outcome = await attempt(hold, {
          kind: 'retry',
          failure: 'timeout',
          retryAt: now() + outageMs + 3_600_000,
        });
        await advance(hold, outcome);
      }
      fixture.clock.advance(outageMs);
      await recall.remember('cleo', `Cleo was away for ${outageMs} ms.`);
      const [cleo] = await lease();
      await advance(cleo!, await attempt(cleo!, {}));
      return feedsOf(await lease());
    };
    expect(await recover(60_000)).toEqual([]);
    fixture.clock.advance(2 * 3_600_000);
    expect(await recover(20 * 60_000)).toEqual(['ada', 'bob']);
  });

  it('that a write noted for an endpoint that was being deleted go when they are old', async () => {
    const webhookKey = await addWebhook(fixture, tenantId);
    await remember('ada');
    await fixture.queryAsSuperuser('DELETE FROM webhooks WHERE webhook_key = $1', [webhookKey]);
    expect(await lease()).toEqual([]);
    fixture.clock.advance(1_000);
    await purgeWebhookDeliveries(fixture.database, now(), 100);
    expect(await readDeliveries(fixture, tenantId)).toEqual([]);
    expect(await fixture.queryAsSuperuser('SELECT FROM webhook_feeds')).toEqual([]);
  });

  it('count as overdue while nobody sends what is due', async () => {
    await addWebhook(fixture, tenantId);
    const before = await readWebhookStanding(fixture.database, now());
    await remember('ada');
    const dueAt = now();
    fixture.clock.advance(5_000);
    const standing = await readWebhookStanding(fixture.database, now());
    expect(standing).toMatchObject({ oldestDueAt: dueAt, pending: before.pending + 1 });
    await lease();
    expect((await readWebhookStanding(fixture.database, now())).oldestDueAt).toBeNull();
  });
});

import { acknowledge, answerWith, waitUntil, WebhookReceiver } from '@annals/testing';
import { RawReceiver } from './raw-receiver.fixture.js';
import { DAY_MS, SenderFixture } from './sender.fixture.js';

const HOUR_MS = 60 * 60 * 1_000;

describe('the sender of webhooks beside receivers that harm others', () => {
  let fixture: SenderFixture;
  let good: WebhookReceiver;

  beforeAll(async () => {
    fixture = await SenderFixture.open();
  });
  beforeEach(async () => {
    good = await WebhookReceiver.start();
  });
  afterEach(() => good.close());
  afterAll(() => fixture.close());

  const addTenants = async () => [await fixture.addTenant(), await fixture.addTenant()] as const;

  it('keeps no place for a receiver that changes the protocol, and stops', async () => {
    const [hostile, victim] = await addTenants();
    const upgrading = await RawReceiver.start(
      (socket) => void socket.write('HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    try {
      await fixture.addWebhook(hostile, { url: upgrading.url });
      for (let n = 0; n < 4; n += 1) await fixture.remember(hostile, `user ${n}`, 'Person drinks tea.');
      const sender = fixture.addSender({ limits: { concurrency: 4, perWebhook: 4 } });
      sender.start();
      await waitUntil(
        async () => (await fixture.query(hostile, 'SELECT FROM webhook_deliveries WHERE attempts > 0')).length > 2,
        {
          describe: 'attempts at the hostile receiver were recorded',
        },
      );
      await fixture.addWebhook(victim, { url: good.url });
      await fixture.remember(victim, 'ada', 'Ada drinks tea.');
      await waitUntil(() => good.received.length === 1, { describe: 'the event of the other tenant' });
      await sender.stop();
      expect(await fixture.query(hostile, 'SELECT FROM webhook_feeds WHERE leased_until IS NOT NULL')).toEqual([]);
    } finally {
      upgrading.close();
    }
  });

  it('sends the event of another tenant next, however much waits for slow receivers', async () => {
    const [busy, victim] = await addTenants();
    const slow = await WebhookReceiver.start();
    try {
      const waiting: (() => void)[] = [];
      slow.answer = (response) => void waiting.push(() => acknowledge(response));
      for (let n = 0; n < 3; n += 1) await fixture.addWebhook(busy, { id: `slow-${n}`, url: slow.url });
      for (let n = 0; n < 10; n += 1) await fixture.remember(busy, `user ${n}`, 'Person drinks tea.');
      const sender = fixture.addSender({ limits: { concurrency: 4, perWebhook: 2 } });
      sender.start();
      await waitUntil(() => waiting.length === 4, { describe: 'every place is taken' });
      fixture.clock.advance(1_000);
      await fixture.addWebhook(victim, { url: good.url });
      await fixture.remember(victim, 'ada', 'Ada drinks tea.');
      waiting.shift()!();
      await waitUntil(() => good.received.length === 1, { describe: 'the event of the other tenant' });
      expect(slow.received).toHaveLength(4);
      slow.answer = acknowledge;
      for (const answer of waiting) answer();
      await waitUntil(() => slow.received.length === 30, { describe: 'the other events' });
      await sender.stop();
    } finally {
      await slow.close();
    }
  });

  it('disables no endpoint at the first failure behind quiet days', async () => {
    const [tenantId] = await addTenants();
    good.answer = answerWith(500);
    await fixture.addWebhook(tenantId, { url: good.url });
    await fixture.remember(tenantId, 'ada', 'Ada drinks poison.');
    const sender = fixture.addSender();
    for (let hours = 0; hours < 90; hours += 2) {
      await sender.sendDue();
      fixture.clock.advance(2 * HOUR_MS);
    }
    expect(await fixture.countByStatus(tenantId)).toEqual({ dead: 1 });
    fixture.clock.advance(4 * DAY_MS);
    await fixture.remember(tenantId, 'bob', 'Bob drinks tea.');
    await sender.sendDue();
    const read = () => fixture.query(tenantId, 'SELECT disabled_reason FROM webhooks');
    expect(await read()).toEqual([{ disabled_reason: null }]);
    for (let hours = 0; hours < 2; hours += 1) {
      fixture.clock.advance(HOUR_MS);
      await sender.sendDue();
    }
    expect(await read()).toEqual([{ disabled_reason: 'failing' }]);
  });
});

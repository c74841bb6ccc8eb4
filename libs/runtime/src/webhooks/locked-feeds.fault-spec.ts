import { acknowledge, waitUntil, WebhookReceiver } from '@annals/testing';
import { SenderFixture } from './sender.fixture.js';

describe('the sender of webhooks beside a tenant whose feeds are locked for long', () => {
  let fixture: SenderFixture;
  const receivers: WebhookReceiver[] = [];
  const startReceiver = async () => {
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    return receiver;
  };

  beforeAll(async () => {
    fixture = await SenderFixture.open();
  });
  afterAll(async () => {
    await fixture.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  it('tells other tenants meanwhile, and records what was answered as soon as it can', async () => {
    const [locked, other] = [await fixture.addTenant(), await fixture.addTenant()];
    const [slow, good] = [await startReceiver(), await startReceiver()];
    await fixture.addWebhook(locked, { url: slow.url });
    await fixture.addWebhook(other, { url: good.url });
    // More than the process has transactions for.
    for (let n = 0; n < 6; n += 1) await fixture.remember(locked, `user ${n}`, 'Person drinks tea.');
    const answers: (() => void)[] = [];
    slow.answer = (response) => void answers.push(() => acknowledge(response));
    const sender = fixture.addSender();
    sender.start();
    await waitUntil(() => answers.length === 6, { describe: 'every feed has a request' });
    await fixture.database.inTenant(locked, async (tx) => {
      // As a deletion of the endpoint and an erasure do.
      await tx.query('SELECT FROM webhook_feeds FOR UPDATE');
      for (const answer of answers) answer();
      await waitUntil(() => slow.open === 0, { describe: 'all were answered' });
      await fixture.remember(other, 'ada', 'Ada drinks tea.');
      await waitUntil(() => good.received.length === 1, { describe: 'the event of the other tenant' });
      expect(await fixture.countByStatus(locked)).toEqual({ pending: 6 });
    });
    await waitUntil(async () => (await fixture.countByStatus(locked))['delivered'] === 6, {
      describe: 'all are recorded',
    });
    expect(slow.received).toHaveLength(6);
  });
});

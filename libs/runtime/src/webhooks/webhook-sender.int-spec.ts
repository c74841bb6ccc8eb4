import { randomBytes } from 'node:crypto';
import { deriveWebhookSecret, formatWebhookSecret, GIVE_UP_AFTER_MS } from '@annals/domain';
import { eraseUser, readWebhook, replayWebhook, rotateWebhookSecret } from '@annals/storage';
import { waitUntil, acknowledge, answerWith, breakOff, hang, WebhookReceiver } from '@annals/testing';
import { Webhook } from 'standardwebhooks';
import { deriveSecrets } from '../secrets/derive-secrets.js';
import { collectWebhookGauges } from './collect-webhook-gauges.js';
import { DAY_MS, SenderFixture } from './sender.fixture.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET_PATH = '/hook/quixotrium?token=quixotrium';

describe('the sender of webhooks', () => {
  let fixture: SenderFixture;
  let tenantId: string;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    fixture = await SenderFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    receiver = await WebhookReceiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    // What still waits must not be sent by the next spec.
    await fixture.database.inTenant(tenantId, (tx) => tx.execute('UPDATE webhook_feeds SET due_at = NULL'));
  });
  afterAll(() => fixture.close());

  const readOne = async (id = 'hook') => {
    const now = fixture.clock.now();
    return (await fixture.database.readTenant(tenantId, (tx) => readWebhook(tx, id, now)))!;
  };
  /** Lets time pass in steps, and sends after each what is due. */
  const pass = async (sender: ReturnType<SenderFixture['addSender']>, ms: number, stepMs: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      fixture.clock.advance(stepMs);
      await sender.sendDue();
    }
  };
  const replay = (webhookKey: string, request: Partial<Parameters<typeof replayWebhook>[2]> = {}) =>
    fixture.database.inTenant(tenantId, (tx) =>
      replayWebhook(tx, webhookKey, { status: 'dead', ...request }, fixture.clock.now()),
    );

  it('tells type, time and ids, and no words, unless the endpoint asked for them', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    await fixture.addWebhook(tenantId, { id: 'words', url: `${receiver.url}/words`, include: ['content'] });
    const [id] = await fixture.remember(tenantId, 'ada', 'Ada drinks tea.');
    await fixture.addSender().sendDue();
    const [plain, words] = receiver.received.toSorted((a, b) => a.path.length - b.path.length);
    const data = { tenant_id: tenantId, user_id: 'ada', scope: 'user', sequence: 1, memory_id: id, revision: 1 };
    const event = { type: 'memory.created', timestamp: new Date(fixture.clock.now()).toISOString(), data };
    expect(plain!.event).toEqual(event);
    expect(words!.event).toEqual({ ...event, data: { ...data, content: 'Ada drinks tea.' } });
    expect(plain!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Annals-Webhooks',
      'webhook-id': (await fixture.committed(tenantId, 'ada'))[0],
      'webhook-timestamp': String(fixture.clock.now() / 1_000),
    });
    expect(await fixture.countByStatus(tenantId)).toEqual({ delivered: 2 });
    expect(await readOne()).toMatchObject({ pending: 0, dead: 0, failing_since: null });
    expect((await readOne()).last_delivered_at).not.toBeNull();
  });

  it('sends no words of a memory that was deleted while its event waited', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url, include: ['content'] });
    await fixture.remember(tenantId, 'ada', 'Ada drinks quixotrium.');
    await fixture.database.inTenant(tenantId, (tx) =>
      tx.execute(
        `UPDATE memories SET state = 'soft_deleted', deleted_at = updated_at, deleted_by = 'user', purge_at = updated_at`,
      ),
    );
    await fixture.addSender().sendDue();
    expect(receiver.received.map(({ event }) => event.data['content'])).toEqual([null]);
  });

  it('sends the events of a user one after another, and those of others beside them', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    const users = ['ada', 'bob', 'cleo', 'dan'];
    for (const userId of users) {
      await fixture.remember(tenantId, userId, ...Array.from({ length: 5 }, (_, n) => `Person likes tea ${n}.`));
    }
    const openOf: Record<string, number> = {};
    const gate = Promise.withResolvers<void>();
    receiver.answer = async (response, { event }) => {
      const userId = String(event.data['user_id']);
      openOf[userId] = (openOf[userId] ?? 0) + 1;
      expect(openOf[userId]).toBe(1);
      if (receiver.open === users.length) gate.resolve();
      // Nobody is answered before all users have a request.
      await gate.promise;
      openOf[userId] -= 1;
      acknowledge(response);
    };
    await fixture.addSender().sendDue();
    for (const userId of users) expect(receiver.idsOf(userId)).toEqual(await fixture.committed(tenantId, userId));
    expect(receiver.mostOpen).toBe(users.length);
  });

  it('gives an endpoint no more requests at a time than its limit', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    for (let n = 0; n < 6; n += 1) await fixture.remember(tenantId, `user ${n}`, 'Person likes tea.');
    const gate = Promise.withResolvers<void>();
    receiver.answer = async (response) => {
      if (receiver.open === 2) gate.resolve();
      await gate.promise;
      acknowledge(response);
    };
    await fixture.addSender({ limits: { perWebhook: 2 } }).sendDue();
    expect([receiver.mostOpen, receiver.received.length]).toEqual([2, 6]);
  });

  it('sends again what was answered with 500, with the same id, and the next one only behind it', async () => {
    await fixture.addWebhook(tenantId, { url: `http://127.0.0.1:${receiver.port}${SECRET_PATH}` });
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.', 'Ada drinks coffee.');
    receiver.answer = answerWith(500);
    const sender = fixture.addSender();
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    expect(await readOne()).toMatchObject({ pending: 2, failing_since: new Date(fixture.clock.now()).toISOString() });
    receiver.answer = acknowledge;
    await sender.sendDue();
    expect(receiver.received).toHaveLength(1);
    await pass(sender, 6_000, 6_000);
    const [first, second] = await fixture.committed(tenantId, 'ada');
    expect(receiver.idsOf('ada')).toEqual([first, first, second]);
    expect(await fixture.countByStatus(tenantId)).toEqual({ delivered: 2 });
    expect(await readOne()).toMatchObject({ pending: 0, failing_since: null });
    const rows = await fixture.query(
      tenantId,
      'SELECT attempts, response_status, failure FROM webhook_deliveries ORDER BY seq',
    );
    expect(rows).toEqual([
      { attempts: 2, response_status: 204, failure: null },
      { attempts: 1, response_status: 204, failure: null },
    ]);
    const told = fixture.log.join('');
    expect(told).toContain('webhook_attempt_failed');
    expect(told).not.toContain('quixotrium');
    expect(JSON.stringify(await fixture.query(tenantId, 'SELECT * FROM webhook_deliveries'))).not.toContain(
      'a body of',
    );
  });

  it.each([
    ['hangs', hang, 'timeout'],
    ['breaks the connection off', breakOff, 'connection'],
    ['redirects', answerWith(302, { location: 'http://169.254.169.254/latest' }), 'redirect'],
  ])('counts a receiver that %s as failed, and delivers when it works again', async (_what, answer, failure) => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.', 'Ada drinks coffee.');
    receiver.answer = answer;
    const sender = fixture.addSender({ timeoutMs: 1_500 });
    await sender.sendDue();
    expect(await fixture.query(tenantId, 'SELECT failure FROM webhook_deliveries WHERE attempts > 0')).toEqual([
      { failure },
    ]);
    receiver.answer = acknowledge;
    await pass(sender, 6_000, 6_000);
    const [first, second] = await fixture.committed(tenantId, 'ada');
    expect(receiver.idsOf('ada')).toEqual([first, first, second]);
  });

  it('delivers everything in order to a receiver that was away for a day', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    const { port } = receiver;
    await receiver.close();
    const sender = fixture.addSender();
    const users = ['ada', 'bob', 'cleo'];
    for (let hour = 0; hour < 24; hour += 1) {
      for (const userId of users) await fixture.remember(tenantId, userId, `Person sees hour ${hour} of ${userId}.`);
      await pass(sender, HOUR_MS, 20 * MINUTE_MS);
    }
    expect(await readOne()).toMatchObject({ pending: 72, dead: 0, enabled: true });
    receiver = await WebhookReceiver.start(port);
    // The next attempt of any user ends the outage for all.
    await pass(sender, 10 * HOUR_MS, HOUR_MS);
    for (const userId of users) expect(receiver.idsOf(userId)).toEqual(await fixture.committed(tenantId, userId));
    expect(await fixture.countByStatus(tenantId)).toEqual({ delivered: 72 });
  });

  it('gives an event up after its schedule, shows it, goes on behind it, and sends it again when asked to', async () => {
    const webhookKey = await fixture.addWebhook(tenantId, { url: receiver.url });
    await fixture.remember(tenantId, 'ada', 'Ada drinks poison.', 'Ada drinks tea.');
    const [poisoned, next] = await fixture.committed(tenantId, 'ada');
    receiver.answer = (response, { headers }) =>
      headers['webhook-id'] === poisoned ? answerWith(400)(response, undefined as never) : acknowledge(response);
    const sender = fixture.addSender();
    await sender.sendDue();
    await pass(sender, GIVE_UP_AFTER_MS + HOUR_MS, 10 * MINUTE_MS);
    expect(receiver.idsOf('ada')).toEqual([...Array.from({ length: 10 }, () => poisoned), next]);
    expect(await readOne()).toMatchObject({ pending: 0, dead: 1 });
    expect(await fixture.count('memory_llm_webhook_dead_total')).toBe(1);
    receiver.received.length = 0;
    receiver.answer = acknowledge;
    expect(await replay(webhookKey)).toEqual({ replayed: 1, has_more: false });
    await sender.sendDue();
    expect(receiver.idsOf('ada')).toEqual([poisoned]);
    expect(await fixture.countByStatus(tenantId)).toEqual({ delivered: 2 });
  });

  it('replays a time, a user or a list of events in order', async () => {
    const webhookKey = await fixture.addWebhook(tenantId, { url: receiver.url });
    const sender = fixture.addSender();
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.', 'Ada drinks coffee.');
    await fixture.remember(tenantId, 'bob', 'Bob drinks tea.');
    fixture.clock.advance(MINUTE_MS);
    const before = new Date(fixture.clock.now()).toISOString();
    await fixture.remember(tenantId, 'ada', 'Ada drinks water.');
    await sender.sendDue();
    const [ada, bob] = [await fixture.committed(tenantId, 'ada'), await fixture.committed(tenantId, 'bob')];
    const resend = async (request: Parameters<typeof replay>[1]) => {
      receiver.received.length = 0;
      await replay(webhookKey, request);
      await sender.sendDue();
      return { ada: receiver.idsOf('ada'), bob: receiver.idsOf('bob') };
    };
    expect(await resend({ status: 'any', before })).toEqual({ ada: ada.slice(0, 2), bob });
    expect(await resend({ status: 'any', after: before })).toEqual({ ada: ada.slice(2), bob: [] });
    expect(await resend({ status: 'delivered', user_id: 'ada' })).toEqual({ ada, bob: [] });
    expect(await resend({ status: 'any', event_ids: [ada[1]!, bob[0]!] })).toEqual({ ada: [ada[1]], bob });
    expect(await resend({ status: 'dead' })).toEqual({ ada: [], bob: [] });
  });

  it('disables an endpoint that answers 410, keeps its events, and sends them once it is enabled again', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.');
    receiver.answer = answerWith(410);
    const sender = fixture.addSender();
    await sender.sendDue();
    await fixture.remember(tenantId, 'ada', 'Ada drinks coffee.');
    await pass(sender, DAY_MS, HOUR_MS);
    expect(receiver.received).toHaveLength(1);
    expect(await readOne()).toMatchObject({ enabled: false, disabled_reason: 'gone', pending: 2 });
    expect(await fixture.query(tenantId, `SELECT node, op FROM events WHERE op = 'disable'`)).toEqual([
      { node: 'webhook', op: 'disable' },
    ]);
    receiver.answer = acknowledge;
    await fixture.addWebhook(tenantId, { url: receiver.url });
    await sender.sendDue();
    expect(receiver.idsOf('ada').slice(1)).toEqual(await fixture.committed(tenantId, 'ada'));
    expect(await readOne()).toMatchObject({ enabled: true, disabled_reason: null, pending: 0 });
  });

  it('disables an endpoint at which nothing could be delivered for days', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    receiver.answer = answerWith(500);
    const sender = fixture.addSender();
    for (let day = 0; day < 6; day += 1) {
      await fixture.remember(tenantId, `user ${day}`, 'Person drinks tea.');
      await pass(sender, DAY_MS, 2 * HOUR_MS);
    }
    expect(await readOne()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(await fixture.count('memory_llm_webhooks_disabled_total', 'reason="failing"')).toBe(1);
    const sent = receiver.received.length;
    await pass(sender, DAY_MS, 2 * HOUR_MS);
    expect(receiver.received).toHaveLength(sent);
  });

  it('leaves an endpoint alone for as long as it asks to be', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url });
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.');
    receiver.answer = answerWith(429, { 'retry-after': '600' });
    const sender = fixture.addSender();
    await sender.sendDue();
    receiver.answer = acknowledge;
    await fixture.remember(tenantId, 'bob', 'Bob drinks tea.');
    await pass(sender, 590_000, 10_000);
    expect(receiver.received).toHaveLength(1);
    await pass(sender, 20_000, 10_000);
    expect(receiver.received).toHaveLength(3);
  });

  it('keeps nobody else waiting for one that hangs: others get their events, and memories are written', async () => {
    const good = await WebhookReceiver.start();
    try {
      await fixture.addWebhook(tenantId, { id: 'bad', url: receiver.url });
      await fixture.addWebhook(tenantId, { id: 'good', url: good.url });
      receiver.answer = hang;
      // More than the process has places.
      const users = Array.from({ length: 20 }, (_, n) => `user ${n}`);
      for (const userId of users) await fixture.remember(tenantId, userId, 'Person drinks tea.');
      const sender = fixture.addSender({ timeoutMs: 1_000, limits: { concurrency: 12, perWebhook: 4 } });
      sender.start();
      await waitUntil(() => good.received.length === users.length, { describe: 'every event at the good receiver' });
      await waitUntil(() => receiver.received.length > 4, { describe: 'a request after the first failures' });
      await fixture.remember(tenantId, 'ada', 'Ada drinks tea.');
      await waitUntil(() => good.idsOf('ada').length === 1, { describe: 'the new event at the good receiver' });
      // That it gets one request at a time: feeds.int-spec.ts of libs/storage.
      await sender.stop();
    } finally {
      await good.close();
    }
  });

  it('signs with each secret that is valid, while the secret of the webhook or the key of the installation is rotated', async () => {
    const former = deriveSecrets({ secretKey: 'the-former-secret-key-of-the-installation' });
    const secrets = deriveSecrets({
      secretKey: 'the-new-secret-key-of-the-installation',
      acceptedKeys: ['the-former-secret-key-of-the-installation'],
    });
    const webhookKey = await fixture.addWebhook(tenantId, { url: receiver.url });
    const [{ salt }] = (await fixture.query<{ salt: string }>(tenantId, 'SELECT salt FROM webhooks')) as [
      { salt: string },
    ];
    const rotated = fixture.ids.next();
    const now = fixture.clock.now();
    await fixture.database.inTenant(tenantId, (tx) =>
      rotateWebhookSecret(tx, { id: 'hook', salt: rotated, overlapUntil: now + HOUR_MS, now }),
    );
    const sender = fixture.addSender({ secrets });
    const readSignatures = async (userId: string) => {
      await fixture.remember(tenantId, userId, 'Person drinks tea.');
      await sender.sendDue();
      const { headers, body } = receiver.received.at(-1)!;
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const expected = [secrets, former].flatMap(({ webhooks }) =>
        [rotated, salt].map((of) => {
          const secret = deriveWebhookSecret(webhooks, { tenantId, webhookKey, salt: of });
          return new Webhook(formatWebhookSecret(secret)).sign(headers['webhook-id']!, at, body);
        }),
      );
      const given = headers['webhook-signature']!.split(' ');
      return expected.map((signature) => given.includes(signature));
    };
    expect(await readSignatures('ada')).toEqual([true, true, true, true]);
    fixture.clock.advance(HOUR_MS);
    expect(await readSignatures('bob')).toEqual([true, false, true, false]);
  });

  it('shows what waits in gauges, and logs neither URL nor words', async () => {
    collectWebhookGauges(fixture.metrics, fixture.database, fixture.clock);
    await fixture.addWebhook(tenantId, { url: receiver.url, enabled: false });
    const before = await fixture.count('memory_llm_webhook_pending');
    await fixture.remember(tenantId, 'ada', 'Ada drinks tea.');
    expect((await fixture.count('memory_llm_webhook_pending')) - before).toBe(1);
    expect(await fixture.count('memory_llm_webhooks', 'state="disabled"')).toBeGreaterThan(0);
    const log = fixture.log.join('');
    for (const text of ['http://', 'drinks']) expect(log).not.toContain(text);
  });

  it('forgets the id of an erased user once the receiver was told, and sends what was noted before as ids', async () => {
    await fixture.addWebhook(tenantId, { url: receiver.url, include: ['content'] });
    await fixture.remember(tenantId, 'ada', 'Ada drinks quixotrium.', 'Ada drinks tea.');
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    await fixture.database.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId: 'ada', actor: 'spec', key: Buffer.alloc(32, 1) }, dependencies),
    );
    receiver.answer = answerWith(500);
    const sender = fixture.addSender();
    await sender.sendDue();
    expect(await fixture.countByStatus(tenantId)).toEqual({ pending: 3 });
    receiver.answer = acknowledge;
    await pass(sender, MINUTE_MS, MINUTE_MS);
    expect(receiver.received.slice(1).map(({ event }) => [event.type, event.data['user_id']])).toEqual([
      ['memory.created', 'ada'],
      ['memory.created', 'ada'],
      ['user.erased', 'ada'],
    ]);
    expect(receiver.received.some(({ body }) => body.includes('quixotrium'))).toBe(false);
    expect(await fixture.countByStatus(tenantId)).toEqual({});
    expect(await fixture.query(tenantId, 'SELECT FROM webhook_feeds')).toEqual([]);
  });
});

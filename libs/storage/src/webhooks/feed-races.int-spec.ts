import { randomBytes } from 'node:crypto';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWebhook, FeedSenders, readDeliveries } from '../fixtures/webhook.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { replayWebhook } from './deliveries.js';
import { readWebhook } from './webhook-view.js';
import { rotateWebhookSecret, testWebhook } from './webhooks.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('feeds of webhooks that change while they are sent', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let tenantId: string;
  let senders: FeedSenders;
  let webhookKey: string;

  beforeAll(async () => {
    ({ fixture } = await RecallFixture.open());
    senders = new FeedSenders(fixture);
  });
  beforeEach(async () => {
    await fixture.queryAsSuperuser('DELETE FROM webhook_feeds');
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
    webhookKey = await addWebhook(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const now = () => fixture.clock.now();
  const sequences = async () => (await readDeliveries(fixture, tenantId)).map(({ seq }) => Number(seq));
  const firstDue = async () => {
    const [feed] = await fixture.queryAsSuperuser<{ due_at: Date }>(
      'SELECT due_at FROM webhook_feeds WHERE tenant_id = $1',
      [tenantId],
    );
    return feed!.due_at.getTime();
  };
  const readOne = () => fixture.inTenant(tenantId, (tx) => readWebhook(tx, 'hook', now()));

  it('keep what a returned user is owed, though a sender from before the erasure records its attempt late', async () => {
    await recall.remember('ada', 'Ada drinks tea.');
    const [late] = await senders.lease();
    await fixture.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId: 'ada', actor: 'test', key: Buffer.alloc(32, 3) }, dependencies()),
    );
    await senders.advance(late!, await senders.attempt(late!));
    const erased = await senders.attempt(late!);
    expect(erased.delivery.type).toBe('user.erased');
    fixture.clock.advance(senders.leaseMs + 1);
    const [other] = await senders.lease();
    expect(await senders.advance(other!, await senders.attempt(other!))).toBeNull();
    await recall.remember('ada', 'Ada drinks coffee.', 'Ada drinks water.', 'Ada drinks milk.');
    const [holder] = await senders.lease();
    expect(await senders.advance(late!, erased)).toBe('lost');
    expect(await sequences()).toEqual([1, 2, 3]);
    expect(await senders.advance(holder!)).toMatchObject({ seq: '1' });
  });

  it('send what a replay asked for at once, though an attempt behind it fails meanwhile', async () => {
    await recall.remember('ada', 'Ada drinks tea.', 'Ada drinks coffee.');
    const [hold] = await senders.lease();
    await senders.advance(hold!, await senders.attempt(hold!));
    const failing = await senders.attempt(hold!, { kind: 'retry', failure: 'status', retryAt: now() + DAY_MS });
    await fixture.inTenant(tenantId, (tx) => replayWebhook(tx, webhookKey, { status: 'any', user_id: 'ada' }, now()));
    expect(await senders.advance(hold!, failing)).toMatchObject({ seq: '1' });
    expect(await firstDue()).toBe(now());
  });

  it('send a test at once, though an attempt before it fails meanwhile, and wait again from then on', async () => {
    const test = () => fixture.inTenant(tenantId, (tx) => testWebhook(tx, webhookKey, fixture.ids.next(), now()));
    await test();
    const [hold] = await senders.lease();
    const failing = { kind: 'retry', failure: 'status', retryAt: now() + DAY_MS } as const;
    const first = await senders.attempt(hold!, failing);
    await test();
    const again = await senders.advance(hold!, first);
    expect(again).toMatchObject({ seq: '1', attempts: 1 });
    await senders.fail(hold!, DAY_MS);
    expect(await firstDue()).toBe(now() + DAY_MS);
  });

  it('hold nothing against an endpoint that a former URL of it answered', async () => {
    await recall.remember('ada', 'Ada drinks tea.');
    const [hold] = await senders.lease();
    const gone = await senders.attempt(hold!, {
      kind: 'retry',
      responseStatus: 410,
      failure: 'gone',
      retryAt: now() + DAY_MS,
      pausedUntil: now() + HOUR_MS,
      disable: 'gone',
    });
    await addWebhook(fixture, tenantId, { url: 'https://example.com/new' });
    expect(await senders.advance(hold!, gone)).toMatchObject({ attempts: 0, url: 'https://example.com/new' });
    expect(await readOne()).toMatchObject({ enabled: true, failing_since: null, pending: 1 });
  });

  it('get all their attempts again behind a PUT', async () => {
    await recall.remember('ada', 'Ada drinks tea.');
    const [hold] = await senders.lease();
    await senders.fail(hold!, DAY_MS);
    await addWebhook(fixture, tenantId);
    expect(await firstDue()).toBe(now());
    const [again] = await senders.lease();
    expect(await senders.advance(again!)).toMatchObject({ attempts: 0, first_failed_at: null });
  });

  it('are signed with the secret that a receiver still has, when the one behind it is rotated as well', async () => {
    const rotate = (overlapMs: number) =>
      fixture.inTenant(tenantId, (tx) =>
        rotateWebhookSecret(tx, {
          id: 'hook',
          salt: fixture.ids.next(),
          overlapUntil: now() + overlapMs,
          now: now(),
        }),
      );
    const read = async () => {
      const [row] = await fixture.queryAsSuperuser<{ salt: string; previous_secrets: { salt: string }[] }>(
        'SELECT salt, previous_secrets FROM webhooks WHERE tenant_id = $1',
        [tenantId],
      );
      return [row!.salt, ...row!.previous_secrets.map(({ salt }) => salt)];
    };
    const [first] = await read();
    await rotate(DAY_MS);
    fixture.clock.advance(HOUR_MS);
    await rotate(DAY_MS);
    expect(await read()).toHaveLength(3);
    expect((await read()).at(-1)).toBe(first);
    fixture.clock.advance(23 * HOUR_MS);
    await rotate(DAY_MS);
    expect(await read()).not.toContain(first);
    // A secret that leaked.
    await rotate(0);
    expect(await read()).toHaveLength(1);
    expect((await readOne())!.previous_secret_until).toBeNull();
  });
});

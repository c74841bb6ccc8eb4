import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SeededRng } from '@annals/domain';
import { writeMemories } from '@annals/storage';
import {
  newMemory,
  sized,
  TEST_SEED,
  waitUntil,
  acknowledge,
  answerWith,
  breakOff,
  WebhookReceiver,
} from '@annals/testing';
import { SenderFixture } from './sender.fixture.js';

const EVENTS = sized(500, 10_000);
const USERS = 50;
const PER_WRITE = 10;
/** Share of requests that a receiver does not acknowledge, of which half are processed all the same. */
const FAILING = 0.05;

describe('senders side by side', () => {
  let fixture: SenderFixture;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    fixture = await SenderFixture.open();
    receiver = await WebhookReceiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await fixture.close();
  });

  /** Writes several memories in one transaction. */
  const remember = (tenantId: string, userId: string, from: number) => {
    const changes = Array.from({ length: PER_WRITE }, (_, n) => {
      const memory = newMemory(`Person owns ${from + n} cats.`, fixture.clock.now(), { category: 'preferences' });
      return { kind: 'observe', memory } as const;
    });
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    return fixture.database.inTenant(tenantId, (tx) =>
      writeMemories(tx, { userId, actor: 'spec', node: 'api', changes }, dependencies),
    );
  };

  it(`deliver ${EVENTS} events of ${USERS} users while they are written: all, in the order of each user`, async () => {
    const tenantId = await fixture.addTenant();
    await fixture.addWebhook(tenantId, { url: receiver.url });
    const rng = new SeededRng(TEST_SEED);
    const openOf = new Map<unknown, number>();
    receiver.answer = async (response, request) => {
      const userId = request.event.data['user_id'];
      openOf.set(userId, (openOf.get(userId) ?? 0) + 1);
      expect(openOf.get(userId)).toBe(1);
      // Time for another request of this user to arrive, if anybody sent one.
      await nextTurn();
      openOf.set(userId, openOf.get(userId)! - 1);
      const chance = rng.nextFloat();
      if (chance >= FAILING) return acknowledge(response);
      return (chance < FAILING / 2 ? breakOff : answerWith(500))(response, request);
    };
    // Leases that outlast the steps of the clock below.
    const timeoutMs = 600_000;
    const senders = [1, 2].map((seed) => fixture.addSender({ rng: new SeededRng(seed), timeoutMs }));
    for (const sender of senders) sender.start();
    const users = Array.from({ length: USERS }, (_, n) => `user ${n}`);
    const rounds = EVENTS / USERS / PER_WRITE;
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(users.map((userId) => remember(tenantId, userId, round * PER_WRITE)));
    }
    const isDone = async () => {
      // What failed is due again after seconds or minutes of the clock.
      fixture.clock.advance(60_000);
      return (await fixture.countByStatus(tenantId))['delivered'] === EVENTS;
    };
    await waitUntil(isDone, { describe: 'all events are delivered' });
    await Promise.all(senders.map((sender) => sender.stop()));
    const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    const committed = (await Promise.all(users.map((userId) => fixture.committed(tenantId, userId)))).flat();
    expect(received).toEqual(new Set(committed));
    expect(committed).toHaveLength(EVENTS);
    for (const userId of users) {
      expect(receiver.firstIdsOf(userId)).toEqual(await fixture.committed(tenantId, userId));
    }
    expect(await fixture.countByStatus(tenantId)).toEqual({ delivered: EVENTS });
  });
});

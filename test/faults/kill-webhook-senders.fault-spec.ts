import { SeededRng } from '@annals/domain';
import {
  type AdminQuery,
  answerWith,
  ApiClient,
  acknowledge,
  breakOff,
  type DistributedSystem,
  hang,
  sized,
  startOnServices,
  TEST_SEED,
  waitUntil,
  WEBHOOK_VARIABLES,
  WebhookReceiver,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { formatSeconds, reportFigure } from './report.js';

const KILLS = sized(3, 10);
const USERS = 12;
const PER_USER = sized(20, 200);

describe('processes killed while they send webhooks', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    system = await startOnServices({
      persistences: 2,
      env: {
        ...WEBHOOK_VARIABLES,
        ANNALS_WEBHOOKS_TIMEOUT_MS: '1000',
        ANNALS_WEBHOOKS_POLL_MS: '50',
      },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(async () => {
    await system?.close();
    await receiver?.close();
  });

  const committedOf = async (query: AdminQuery, userId: string) =>
    (
      await query<{ id: string }>(`SELECT id FROM history WHERE user_id = $1 AND event <> 'LINK' ORDER BY seq`, [
        userId,
      ])
    ).map(({ id }) => id);

  /** Makes due what waits for a retry. Leases of killed processes end by themselves, so that no feed has two senders. */
  const endWaits = (query: AdminQuery) =>
    query('UPDATE webhook_feeds SET due_at = now() WHERE due_at > now() AND leased_until IS NULL');

  it(`lose nothing and keep the order of each user, ${KILLS} times (seed ${TEST_SEED})`, async () => {
    const rng = new SeededRng(TEST_SEED);
    const { secret } = (await client.must('putWebhook', { body: { id: 'hook', url: receiver.url } })) as {
      secret: string;
    };
    const judge = new Webhook(secret);
    let judged = 0;
    receiver.answer = (response, request) => {
      judge.verify(request.body, request.headers);
      judged += 1;
      const answer = [hang, breakOff, answerWith(500)][Math.floor(rng.nextFloat() * 30)] ?? acknowledge;
      return answer(response, request);
    };
    const users = Array.from({ length: USERS }, (_, n) => `user-${n}`);
    const writing = Promise.all(
      users.map(async (user_id) => {
        for (let n = 0; n < PER_USER; n += 1) {
          await client.must('addMemory', {
            body: { user_id, category: 'preferences', content: `The user owns ${n} cats of ${user_id}.` },
          });
        }
      }),
    );
    const startedMs = performance.now();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(200 + rng.nextFloat() * 800);
      const victim = system.persistences[kill % system.persistences.length]!;
      await victim.kill9();
      await victim.start();
    }
    await writing;
    await system.inspect(async (query) => {
      const isDone = async () => {
        await endWaits(query);
        const [left] = await query<{ n: number }>(
          `SELECT count(*)::int AS n FROM webhook_deliveries WHERE status <> 'delivered'`,
        );
        return left!.n === 0;
      };
      await waitUntil(isDone, { describe: 'every event was acknowledged', intervalMs: 100 });
      for (const userId of users) {
        const committed = await committedOf(query, userId);
        expect(committed.length).toBeGreaterThanOrEqual(PER_USER);
        expect(receiver.firstIdsOf(userId)).toEqual(committed);
      }
    });
    expect(judged).toBe(receiver.received.length);
    reportFigure(
      `kill -9 of a sender of webhooks, ${KILLS} times, with a tenth of all requests failing`,
      `${USERS * PER_USER} events, ${receiver.received.length} requests, all signatures valid to standardwebhooks, ` +
        `order of ${USERS} users kept, in ${formatSeconds(performance.now() - startedMs)}`,
    );
  });
});

import { startPrivatePostgres, startPrivateRedis, type PrivateServer, waitUntil } from '@annals/testing';
import pg from 'pg';
import { createRecordingLogger } from '../fixtures/recording-logger.fixture.js';
import {
  createWorkJob,
  createWorkRows,
  QueueFixture,
  queueOfEveryKind,
  testDefinition,
} from '../fixtures/queue.fixture.js';
import { OutboxRelay } from '../outbox/relay.js';
import { createQueueBackend } from './create-queue-backend.js';
import { QueueUnavailableError } from './queue-guard.js';

describe('queue while Redis is down', () => {
  let redis: PrivateServer;
  let postgres: PrivateServer;

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startPrivateRedis(), startPrivatePostgres()]);
  });
  afterAll(() => Promise.all([redis.stop(), postgres.stop()]));

  it('fails immediately, logs the outage once and recovers afterwards', async () => {
    const { logger, lines } = createRecordingLogger();
    const backend = await createQueueBackend({ kind: 'redis', url: redis.url, prefix: 'outage' }, { logger });
    await backend.ping();
    await redis.kill9();
    await waitUntil(() => lines.length > 0, { describe: 'the outage is noticed' });
    const queue = backend.openQueue(testDefinition);
    for (let tries = 0; tries < 20; tries += 1) {
      await expect(queue.addAll([{ payload: createWorkJob(), trace: null, priority: 1 }])).rejects.toThrow(
        QueueUnavailableError,
      );
    }
    await redis.restart();
    await waitUntil(() => backend.ping().then(() => true), { describe: 'the queue answers again' });
    await queue.addAll([{ payload: createWorkJob(), trace: null, priority: 1 }]);
    expect(lines.map(({ event }) => event)).toEqual(['queue_unavailable', 'queue_available']);
    await backend.close();
  });

  it('starts a producer and releases the waiting rows once Redis is up', async () => {
    const target = {
      backend: { kind: 'redis', url: redis.url, prefix: 'late' },
      database: { connectionString: postgres.url } satisfies pg.PoolConfig,
      isShared: true,
      loseAllJobs: async () => undefined,
      stop: async () => undefined,
    } as const;
    const fixture = await QueueFixture.open(target);
    await redis.kill9();
    const { store, clock, metrics } = fixture;
    const { logger } = fixture.recorded;
    const late = await createQueueBackend(target.backend, { logger });
    fixture.closeLater(() => late.close());
    const queue = late.openQueue(testDefinition);
    const queues = queueOfEveryKind(queue);
    const relay = new OutboxRelay({ store, queues, clock, metrics, logger });
    relay.start();
    fixture.closeLater(() => relay.stop());
    await store.add(createWorkRows(20));
    relay.kick();
    await waitUntil(() => fixture.recorded.lines.some(({ event }) => event === 'outbox_failed'), {
      describe: 'the relay notices',
    });
    await redis.restart();
    await waitUntil(async () => (await store.readReleases()).every((times) => times === 1), {
      describe: 'all rows are released',
    });
    // Through the connection that released them: the fixture's own may still wait to reconnect.
    expect(await queue.readCounts()).toMatchObject({ waiting: 20 });
    await fixture.close();
  });
});

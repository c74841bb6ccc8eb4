import { startPrivatePostgres, startPrivateRedis, startTcpProxy } from '@annals/testing';
import { QueueFixture } from '../fixtures/queue.fixture.js';
import { PermanentJobError } from './job-error.js';
import type { JobHandler } from './job-worker.types.js';
import type { WorkJob } from '@annals/contracts';

/** Longer than the time limit of a test: a worker that waits for all of it fails the test. */
const JOBS_MAY_TAKE_MS = 3_600_000;

describe('a worker whose queue hangs', () => {
  const endings: Readonly<Record<string, JobHandler<WorkJob>>> = {
    delayed: async (_payload, { delayJob }) => delayJob(60_000),
    failed: async () => {
      throw new PermanentJobError('refused');
    },
    completed: async () => 'done',
  };

  it.each(Object.keys(endings))(
    'is closed once no handler runs, though nobody hears that its job is %s',
    async (how) => {
      const [redis, postgres] = await Promise.all([startPrivateRedis(), startPrivatePostgres()]);
      const proxy = await startTcpProxy(redis.url);
      const fixture = await QueueFixture.open({
        backend: { kind: 'redis', url: proxy.through(redis.url), prefix: 'hangs' },
        database: { connectionString: postgres.url },
        isShared: true,
        loseAllJobs: async () => undefined,
        stop: async () => undefined,
      });
      const begun = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const worker = await fixture.startWorker(async (payload, context) => {
        begun.resolve();
        await release.promise;
        return endings[how]!(payload, context);
      });
      await fixture.add();
      await begun.promise;
      proxy.freeze();
      const closed = worker.close({ timeoutMs: JOBS_MAY_TAKE_MS });
      release.resolve();
      await closed;
      proxy.thaw();
      await fixture.close();
      await proxy.close();
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  );
});

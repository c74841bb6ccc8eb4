import { startPrivatePostgres, startPrivateRedis } from '@annals/testing';
import { describeQueueBackend } from '../contract/queue-backend.contract.js';

describeQueueBackend('queue on Redis', async () => {
  const [redis, postgres] = await Promise.all([startPrivateRedis(), startPrivatePostgres()]);
  return {
    backend: { kind: 'redis', url: redis.url, prefix: 'spec' },
    database: { connectionString: postgres.url },
    isShared: true,
    loseAllJobs: async () => {
      await redis.kill9();
      await redis.restart();
    },
    stop: async () => {
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
});

import { createTestPool, startPrivatePostgres } from '@annals/testing';
import { describeQueueBackend } from '../contract/queue-backend.contract.js';

describeQueueBackend('queue on a PostgreSQL server', async () => {
  const postgres = await startPrivatePostgres();
  const database = { connectionString: postgres.url };
  const pool = createTestPool({ ...database, max: 1 });
  return {
    backend: { kind: 'postgres', pool: database },
    database,
    isShared: true,
    loseAllJobs: async () => {
      await pool.query('DELETE FROM bullmq.job');
    },
    stop: async () => {
      await pool.end();
      await postgres.stop();
    },
  };
});

import { createTestDatabase } from '@annals/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describeQueueBackend } from '../contract/queue-backend.contract.js';
import type { QueueBackendConfig } from './queue-backend.js';

describeQueueBackend('queue of this profile', async () => {
  const database = await createTestDatabase();
  return {
    backend: database.queue,
    database: { connectionString: database.admin.url },
    isShared: true,
    loseAllJobs: () => deleteAllJobs(database.queue),
    stop: () => database.drop(),
  };
});

async function deleteAllJobs(queue: QueueBackendConfig): Promise<void> {
  if (queue.kind === 'redis') return deleteKeys(queue.url, queue.prefix);
  const client = new pg.Client(queue.pool);
  await client.connect();
  await client.query('DELETE FROM bullmq.job');
  await client.end();
}

async function deleteKeys(url: string, prefix: string): Promise<void> {
  const client = new Redis(url);
  const keys = await client.keys(`*${prefix.replaceAll(/[{}]/g, '')}*`);
  if (keys.length > 0) await client.del(...keys);
  client.disconnect();
}

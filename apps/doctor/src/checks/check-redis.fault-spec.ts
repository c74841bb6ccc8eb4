import { type PrivateServer, startPrivateRedis } from '@annals/testing';
import { Redis } from 'ioredis';
import { inspectRedis } from './check-redis.js';

describe('inspectRedis', () => {
  let server: PrivateServer;
  beforeAll(async () => {
    server = await startPrivateRedis();
  });
  afterAll(() => server.stop());

  it('passes a server without eviction, warns about one with eviction, and fails for a wrong password', async () => {
    const client = new Redis(server.url);
    await client.config('SET', 'maxmemory-policy', 'noeviction');
    expect((await inspectRedis(server.url)).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await inspectRedis(server.url)).map(({ verdict }) => verdict)).toEqual(['ok', 'warn']);
    await client.config('SET', 'requirepass', 'hush');
    const [refused] = await inspectRedis(server.url);
    expect(refused).toMatchObject({ verdict: 'fail', advice: expect.stringContaining('password') });
    client.disconnect();
  });
});

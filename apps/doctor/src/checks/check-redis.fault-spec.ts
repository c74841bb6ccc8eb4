import { type PrivateServer, startPrivateRedis, waitUntil } from '@annals/testing';
import { Redis } from 'ioredis';
import { inspectRedis } from './check-redis.js';

describe('inspectRedis', () => {
  let server: PrivateServer;
  let client: Redis;
  beforeEach(async () => {
    server = await startPrivateRedis();
    client = new Redis(server.url);
  });
  afterEach(async () => {
    client.disconnect();
    await server.stop();
  });

  const inspect = async () =>
    Object.fromEntries((await inspectRedis(server.url)).map(({ check, verdict }) => [check, verdict]));

  it('passes a server without eviction, warns about one with eviction, and fails for a wrong password', async () => {
    await client.config('SET', 'appendonly', 'yes');
    expect(await inspect()).toEqual({ redis: 'ok', 'redis.eviction': 'ok', 'redis.persistence': 'ok' });
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await inspect()).toMatchObject({ 'redis.eviction': 'warn' });
    await client.config('SET', 'requirepass', 'hush');
    const [refused] = await inspectRedis(server.url);
    expect(refused).toMatchObject({ verdict: 'fail', advice: expect.stringContaining('password') });
  });

  it('warns about a server that saves nothing, and does not know of one that refuses CONFIG', async () => {
    expect(await inspect()).toMatchObject({ 'redis.persistence': 'warn' });
    await client.config('SET', 'save', '3600 1');
    expect(await inspect()).toMatchObject({ 'redis.persistence': 'ok' });
    await client.call('ACL', 'SETUSER', 'default', '-config');
    expect(await inspect()).toMatchObject({ 'redis.persistence': 'skip' });
  });

  it('fails for a server that refuses writes since its snapshot failed', async () => {
    await client.config('SET', 'save', '3600 1');
    // The finished snapshot cannot take the place of a folder.
    expect(await server.shell('mkdir "$DATA/dump.rdb"')).toMatchObject({ status: 0 });
    await client.set('key', 'value');
    await client.bgsave();
    const hasFailed = async () => (await client.info('persistence')).includes('rdb_last_bgsave_status:err');
    await waitUntil(hasFailed, { describe: 'the snapshot has failed' });
    await expect(client.set('key', 'value')).rejects.toThrow('MISCONF');
    expect(await inspect()).toMatchObject({ redis: 'ok', 'redis.persistence': 'fail' });
    // Until then it refuses to stop, too.
    await client.config('SET', 'save', '');
  });
});

import { Redis } from 'ioredis';
import pg from 'pg';
import { startPrivatePostgres, startPrivateRedis, type PrivateServer } from './private-server.js';

describe('a private PostgreSQL', () => {
  let server: PrivateServer;

  beforeAll(async () => {
    server = await startPrivatePostgres();
  });
  afterAll(() => server.stop());

  it('has pgvector', async () => {
    await query(server.url, 'CREATE EXTENSION vector');
    expect(await query(server.url, `SELECT '[1,2]'::vector <-> '[1,4]' AS distance`)).toEqual([{ distance: 2 }]);
  });

  it('keeps committed rows and its port when it is killed and when it is restarted', async () => {
    await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await server.kill9();
    await expect(query(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.restart();
    await query(server.url, 'INSERT INTO kept VALUES (2)');
    await server.restart();
    expect(await query(server.url, 'SELECT id FROM kept ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe.each<[string, () => Promise<PrivateServer>, (url: string) => Promise<unknown>]>([
  ['PostgreSQL', startPrivatePostgres, (url) => query(url, 'SELECT 1')],
  ['Redis', startPrivateRedis, ping],
])('a paused private %s', (_name, start, ask) => {
  it('answers nobody until it is resumed, and then those who waited', async () => {
    const server = await start();
    try {
      await ask(server.url);
      await server.pause();
      let isAnswered = false;
      const answer = ask(server.url).then(() => (isAnswered = true));
      // Another server has answered often meanwhile.
      const other = await startPrivateRedis();
      for (let turn = 0; turn < 20; turn += 1) await ping(other.url);
      await other.stop();
      expect(isAnswered).toBe(false);
      await server.resume();
      expect(await answer).toBe(true);
      await server.pause();
    } finally {
      await server.stop();
    }
  });
});

describe('a private Redis', () => {
  it('restarts empty on the same port', async () => {
    const server = await startPrivateRedis();
    const client = new Redis(server.url, { retryStrategy: () => 50 });
    client.on('error', () => {});
    await client.set('key', 'value');
    await server.kill9();
    await server.restart();
    expect(await client.get('key')).toBeNull();
    client.disconnect();
    await server.stop();
  });

  it('does not answer after stop', async () => {
    const server = await startPrivateRedis();
    await server.stop();
    const client = new Redis(server.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    await expect(client.connect()).rejects.toThrow();
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function ping(url: string): Promise<unknown> {
  const client = new Redis(url);
  try {
    return await client.ping();
  } finally {
    client.disconnect();
  }
}

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

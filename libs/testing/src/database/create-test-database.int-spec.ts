import { Redis } from 'ioredis';
import pg from 'pg';
import { createTestDatabase } from './create-test-database.js';
import type { TestDatabase } from './test-database.js';

async function query(url: string, sql: string, options?: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, ...(options === undefined ? {} : { options }) });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  const made: TestDatabase[] = [];
  const create = async (): Promise<TestDatabase> => {
    const database = await createTestDatabase();
    made.push(database);
    return database;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((database) => database.drop()));
  });

  it('creates a migrated database with pgvector', async () => {
    const { admin } = await create();
    const migrations = await query(admin.url, 'SELECT name FROM annals.schema_migrations');
    expect(migrations.length).toBeGreaterThan(0);
    expect(
      await query(admin.url, "SELECT '[1,2]'::vector <-> '[1,4]' AS distance", '-c search_path=annals,public'),
    ).toEqual([{ distance: 2 }]);
  });

  it('connects services as a role that cannot bypass row-level security', async () => {
    const { app } = await create();
    const options = app.role === undefined ? undefined : `-c role=${app.role}`;
    const [identity] = await query(
      app.url,
      'SELECT current_user AS role, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user',
      options,
    );
    expect(identity).toEqual({ role: 'annals_app', rolsuper: false, rolbypassrls: false });
  });

  it('creates databases that are isolated from each other and from earlier ones', async () => {
    const [first, second] = await Promise.all([create(), create()]);
    await query(first.admin.url, 'CREATE TABLE only_here (a int)');
    const tables = "SELECT to_regclass('public.only_here') AS found";
    expect(await query(second.admin.url, tables)).toEqual([{ found: null }]);
    await first.drop();
    const third = await create();
    expect(await query(third.admin.url, tables)).toEqual([{ found: null }]);
  });

  it('leaves nothing behind in Redis once it is dropped', async () => {
    const database = await create();
    if (database.redis === undefined) {
      expect(database.queue.kind).toBe('postgres');
      return;
    }
    const redis = new Redis(database.redis.url);
    await redis.set(`${database.redis.prefix}:kept`, 'x');
    await database.drop();
    expect(await redis.keys(`*${database.name}*`)).toEqual([]);
    redis.disconnect();
  });
});

import { SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { deriveSecrets } from '@annals/runtime';
import { Database, ensureBootstrapKey, migrate } from '@annals/storage';
import { createTestPool } from '@annals/testing';
import { Redis } from 'ioredis';
import pg from 'pg';

/** The stores that a bench runs on: a PostgreSQL with pgvector, as superuser, and a Redis. */
export interface Servers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A fresh, migrated database and a queue prefix of its own, with one tenant and a key for it. */
export interface BenchEnvironment {
  readonly redisUrl: string;
  readonly queuePrefix: string;
  /** Pool of the superuser, to whom row-level security does not apply. */
  readonly superuser: pg.Pool;
  /** The same database with the role of the services. */
  readonly database: Database;
  readonly tenantId: string;
  readonly clock: SystemClock;
  readonly ids: UuidV7Generator;
  /** Variables of a service process in this environment. */
  readonly serviceEnv: Readonly<Record<string, string>>;
  readonly apiKey: string;
  close(): Promise<void>;
}

const APP_ROLE = 'annals_app';
// The role belongs to the whole server, where tests may use it: the same password as in tests.
const APP_PASSWORD = 'annals-app-in-tests';
const API_KEY = 'bench-key-of-a-throw-away-database';
const SECRET_KEY = 'bench-secret-of-a-throw-away-database';
const POOL_SIZE = 32;
const NAME_START = 'annals_bench_';
/** No benchmark takes this long: an older database was left by one that was killed. */
const LEFTOVER_AGE_MS = 2 * 60 * 60 * 1_000;

export async function openBenchEnvironment({ databaseUrl, redisUrl }: Servers): Promise<BenchEnvironment> {
  const clock = new SystemClock();
  const ids = new UuidV7Generator(clock, new SystemRng());
  const name = `${NAME_START}${Math.floor(clock.now() / 1_000)}_${ids.next().slice(-6)}`;
  await dropLeftovers(databaseUrl, clock);
  await administer(databaseUrl, `CREATE DATABASE ${name}`);
  const adminUrl = urlOf(databaseUrl, name);
  const appUrl = urlOf(databaseUrl, name, APP_ROLE, APP_PASSWORD);
  await migrate({ url: adminUrl }, { appPassword: APP_PASSWORD });
  const database = await Database.open({
    url: appUrl,
    prepared: true,
    poolSize: POOL_SIZE,
    // As the services: a user's history that begins under another key cannot go on.
    chainKey: deriveSecrets({ secretKey: SECRET_KEY }).chain,
  });
  const superuser = createTestPool({
    connectionString: adminUrl,
    max: POOL_SIZE,
    options: '-c search_path=annals,public',
  });
  const given = { text: API_KEY, now: clock.now(), ids, operator: false, ifRevoked: 'leave' } as const;
  const { tenantId } = await ensureBootstrapKey(database, given);
  return {
    redisUrl,
    queuePrefix: name,
    superuser,
    database,
    tenantId,
    clock,
    ids,
    apiKey: API_KEY,
    serviceEnv: {
      ANNALS_DATABASE_URL: appUrl,
      ANNALS_REDIS_URL: redisUrl,
      ANNALS_QUEUE_PREFIX: name,
      ANNALS_SECRET_KEY: SECRET_KEY,
      ANNALS_LOG_LEVEL: 'warn',
      ANNALS_RATE_LIMIT_PER_MINUTE: '100000000',
      ANNALS_RATE_LIMIT_BYTES_PER_MINUTE: '1000000000000',
    },
    async close() {
      await database.close();
      await superuser.end();
      await administer(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await deleteKeys(redisUrl, name);
    },
  };
}

async function dropLeftovers(url: string, clock: SystemClock): Promise<void> {
  const rows = await administer(url, `SELECT datname FROM pg_database WHERE starts_with(datname, '${NAME_START}')`);
  for (const { datname } of rows as { datname: string }[]) {
    const madeAt = Number(datname.slice(NAME_START.length).split('_')[0]) * 1_000;
    if (clock.now() - madeAt > LEFTOVER_AGE_MS) await administer(url, `DROP DATABASE ${datname} WITH (FORCE)`);
  }
}

async function administer(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function deleteKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    for await (const keys of redis.scanStream({ match: `{${prefix}*`, count: 1_000 }) as AsyncIterable<string[]>)
      if (keys.length > 0) await redis.unlink(...keys);
  } finally {
    redis.disconnect();
  }
}

function urlOf(base: string, database: string, username?: string, password?: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  if (username !== undefined && password !== undefined) Object.assign(url, { username, password });
  return url.href;
}

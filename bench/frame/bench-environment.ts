import { SystemClock, SystemRng, UuidV7Generator } from '@annals/domain';
import { deriveSecrets } from '@annals/runtime';
import { Database, ensureBootstrapKey, migrate } from '@annals/storage';
import { createTestPool } from '@annals/testing';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { createBenchDatabase } from './bench-database.ts';

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

export async function openBenchEnvironment({ databaseUrl, redisUrl }: Servers): Promise<BenchEnvironment> {
  const clock = new SystemClock();
  const ids = new UuidV7Generator(clock, new SystemRng());
  const created = await createBenchDatabase(databaseUrl, { clock, ids });
  const { name, url: adminUrl } = created;
  const appUrl = toAppUrl(adminUrl);
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
      await created.drop();
      await deleteKeys(redisUrl, name);
    },
  };
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

function toAppUrl(adminUrl: string): string {
  const url = new URL(adminUrl);
  Object.assign(url, { username: APP_ROLE, password: APP_PASSWORD });
  return url.href;
}

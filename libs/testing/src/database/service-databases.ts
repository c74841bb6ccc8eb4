import { Redis } from 'ioredis';
import pg from 'pg';
import {
  APP_PASSWORD,
  APP_ROLE,
  type DatabaseSource,
  type MigrateTestDatabase,
  type TestDatabaseAddress,
} from './test-database.js';

export interface ServiceUrls {
  /** A superuser's. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

const NAME_START = 'annals_test_';
/** No test run takes this long: an older database was left by a run that was killed. */
const LEFTOVER_AGE_SECONDS = 2 * 60 * 60;
/**
 * Dropped databases that are removed at a time: PostgreSQL writes a checkpoint, half a second for the files of the other
 * databases, before it removes one, and almost nothing for those right after it.
 */
const REMOVED_AT_ONCE = 8;
/** Advisory lock while roles are created: they belong to the whole server, which several runs may share. */
const SETUP_LOCK = 0x414e5445;

/** Databases of a PostgreSQL server for a test run: copies of one migrated template. */
export class ServiceDatabases implements DatabaseSource {
  private readonly names = new Set<string>();
  /** Closed to connections, but not removed yet. */
  private readonly dropped: string[] = [];
  private template: Promise<string> | undefined;
  private created = 0;

  constructor(
    private readonly urls: ServiceUrls,
    private readonly migrate: MigrateTestDatabase,
  ) {}

  async create(): Promise<TestDatabaseAddress> {
    this.template ??= this.makeTemplate();
    const template = await this.template;
    const name = template.replace(/template$/, String(++this.created));
    await this.administer(async (client) => {
      await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
      // Nobody kills this server: tests that do start one of their own.
      await client.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
    });
    this.names.add(name);
    const redis = { url: this.urls.redisUrl, prefix: `{${name}}` };
    return {
      profile: 'services',
      name,
      admin: { url: this.urlOf(name) },
      app: { url: this.urlOf(name, { user: APP_ROLE, password: APP_PASSWORD }) },
      redis,
      queue: { kind: 'redis', ...redis },
    };
  }

  async drop(name: string): Promise<void> {
    if (!this.names.delete(name)) return;
    await this.administer((client) => closeDatabase(client, name));
    await this.deleteKeys(`{${name}}`);
    this.dropped.push(name);
    if (this.dropped.length >= REMOVED_AT_ONCE) await this.removeDropped();
  }

  async stop(): Promise<void> {
    for (const name of this.names) await this.drop(name);
    const template = await this.template?.catch(() => undefined);
    if (template !== undefined) this.dropped.push(template);
    await this.removeDropped();
  }

  private async removeDropped(): Promise<void> {
    const names = this.dropped.splice(0);
    await this.administer(async (client) => {
      for (const name of names) await dropDatabase(client, name);
    });
  }

  private async makeTemplate(): Promise<string> {
    return this.administer(async (client) => {
      const nowSeconds = await readServerClock(client);
      await dropLeftovers(client, nowSeconds);
      const template = `${NAME_START}${nowSeconds}_${process.pid}_template`;
      await client.query('SELECT pg_advisory_lock($1)', [SETUP_LOCK]);
      await client.query(`CREATE DATABASE "${template}"`);
      await this.migrate({ url: this.urlOf(template) }, { appPassword: APP_PASSWORD });
      // A database with open connections cannot be copied.
      await client.query(`ALTER DATABASE "${template}" ALLOW_CONNECTIONS false`);
      return template;
    });
  }

  private async administer<T>(task: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.urls.databaseUrl });
    await client.connect();
    try {
      return await task(client);
    } finally {
      await client.end();
    }
  }

  private async deleteKeys(prefix: string): Promise<void> {
    const redis = new Redis(this.urls.redisUrl);
    try {
      for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 }) as AsyncIterable<string[]>)
        if (keys.length > 0) await redis.unlink(...keys);
    } finally {
      redis.disconnect();
    }
  }

  private urlOf(database: string, login?: { user: string; password: string }): string {
    const url = new URL(this.urls.databaseUrl);
    url.pathname = `/${database}`;
    if (login !== undefined) Object.assign(url, { username: login.user, password: login.password });
    return url.href;
  }
}

/** The time of the server, since runs of several machines may share it. In seconds since 1970. */
async function readServerClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ now: number }>('SELECT extract(epoch FROM now())::int AS now');
  return rows[0]!.now;
}

async function dropLeftovers(client: pg.Client, nowSeconds: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [NAME_START],
  );
  for (const { name } of rows) {
    const madeAtSeconds = Number(name.slice(NAME_START.length).split('_')[0]);
    if (nowSeconds - madeAtSeconds > LEFTOVER_AGE_SECONDS) await dropDatabase(client, name);
  }
}

/** Ends all its connections, and admits no new ones. */
async function closeDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
}

async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

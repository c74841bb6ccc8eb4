import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Servers } from '../frame/bench-environment.ts';
import { describeMachine } from '../frame/machine.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What is measured, without what measures it. */
const PRODUCT = ['apps', 'libs', ':!libs/testing'];

/** Where and of what the results of a part are. */
export interface RunDescription {
  /** ISO 8601. */
  readonly startedAt: string;
  /** The last one that changed a service. */
  readonly commit: string;
  readonly machine: ReturnType<typeof describeMachine>;
  readonly versions: { readonly postgresql: string; readonly pgvector: string; readonly redis: string };
}

export async function describeRun(servers: Servers): Promise<RunDescription> {
  return {
    startedAt: new Date().toISOString(),
    commit: readCommit(),
    machine: describeMachine(),
    versions: { ...(await readDatabaseVersions(servers)), redis: await readRedisVersion(servers) },
  };
}

function readCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', [...args, '--', ...PRODUCT], { cwd: ROOT, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain') !== '';
  return `${git('log', '-1', '--format=%h', '--abbrev=10')}${isChanged ? ' with changes' : ''}`;
}

async function readDatabaseVersions({ databaseUrl }: Servers) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ server: string; vector: string }>(
      `SELECT current_setting('server_version') AS server, default_version AS vector
         FROM pg_available_extensions WHERE name = 'vector'`,
    );
    return { postgresql: rows[0]!.server, pgvector: rows[0]!.vector };
  } finally {
    await client.end();
  }
}

async function readRedisVersion({ redisUrl }: Servers): Promise<string> {
  const redis = new Redis(redisUrl);
  try {
    const info = await redis.info('server');
    const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
    return valkey ? `Valkey ${valkey}` : `Redis ${/^redis_version:(\S+)/m.exec(info)?.[1]}`;
  } finally {
    redis.disconnect();
  }
}

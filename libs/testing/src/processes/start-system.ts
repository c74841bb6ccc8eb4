import { createTestDatabase } from '../database/create-test-database.js';
import { APP_PASSWORD, APP_ROLE } from '../database/test-database.js';
import { type PrivateServer, startPrivatePostgres, startPrivateRedis } from '../services/private-server.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import type { Variables } from './annals-process.js';
import type { AnnalsSystem } from './annals-system.js';
import { type DistributedSystem, startDistributed } from './start-distributed.js';
import { startStandalone } from './start-standalone.js';

export interface SystemOptions {
  readonly env?: Variables;
  /** Processes of each of the two services of minds, where services are processes; default 0. Switch minds on in `env`. */
  readonly minds?: number;
  /** Where services are processes, only what serves requests: nothing that is posted is remembered. Default: false. */
  readonly gatewayAlone?: boolean;
}

/** Annals in the profile of the test run: one process, or gateway, extraction and persistence as separate processes. */
export async function startSystem(options: SystemOptions = {}): Promise<AnnalsSystem> {
  return process.env['ANNALS_TEST_PROFILE'] === 'services' ? startOnServices(options) : startStandalone(options);
}

export interface ServicesOptions extends SystemOptions {
  readonly gateways?: number;
  readonly extractions?: number;
  readonly persistences?: number;
}

/** Annals as separate processes, on a database of its own and the Redis of the test run. */
export async function startOnServices({ gatewayAlone, ...options }: ServicesOptions = {}): Promise<DistributedSystem> {
  const database = await createTestDatabase();
  const { redis } = database;
  if (redis === undefined) throw new Error('Separate processes need the profile "services".');
  return startDistributed({
    ...(gatewayAlone ? { extractions: 0, persistences: 0 } : {}),
    ...options,
    adminDatabaseUrl: database.admin.url,
    databaseUrl: database.app.url,
    redisUrl: redis.url,
    queuePrefix: database.name,
    release: () => database.drop(),
  });
}

export interface ProxiedSystem extends DistributedSystem {
  /** Between its processes and the servers of the test run, which stay reachable for the test itself. */
  readonly proxies: { readonly postgres: TcpProxy; readonly redis: TcpProxy };
}

/** Annals as separate processes, on a database of its own, behind proxies that can make both stores slow or silent. */
export async function startBehindProxies(options: ServicesOptions = {}): Promise<ProxiedSystem> {
  const database = await createTestDatabase();
  const { redis } = database;
  if (redis === undefined) throw new Error('Separate processes need the profile "services".');
  const [postgresProxy, redisProxy] = await Promise.all([startTcpProxy(database.app.url), startTcpProxy(redis.url)]);
  const system = await startDistributed({
    ...options,
    adminDatabaseUrl: database.admin.url,
    databaseUrl: postgresProxy.through(database.app.url),
    redisUrl: redisProxy.through(redis.url),
    queuePrefix: database.name,
    async release() {
      await Promise.all([postgresProxy.close(), redisProxy.close()]);
      await database.drop();
    },
  });
  return Object.assign(system, { proxies: { postgres: postgresProxy, redis: redisProxy } });
}

export interface PrivateServersSystem extends DistributedSystem {
  /** Its private servers, which the test may kill and restart. */
  readonly redis: PrivateServer;
  readonly postgres: PrivateServer;
}

/** Annals as separate processes on a PostgreSQL and a Redis of their own. */
export async function startOnPrivateServers(options: ServicesOptions = {}): Promise<PrivateServersSystem> {
  const [redis, postgres] = await Promise.all([startPrivateRedis(), startPrivatePostgres()]);
  const release = async (): Promise<void> => {
    await Promise.all([redis.stop(), postgres.stop()]);
  };
  const url = new URL(postgres.url);
  Object.assign(url, { username: APP_ROLE, password: APP_PASSWORD });
  const system = await startDistributed({
    ...options,
    adminDatabaseUrl: postgres.url,
    databaseUrl: url.href,
    appPassword: APP_PASSWORD,
    redisUrl: redis.url,
    queuePrefix: 'annals',
    release,
  });
  return Object.assign(system, { redis, postgres });
}

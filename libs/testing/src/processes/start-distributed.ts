import { once } from 'node:events';
import { dumpRedis } from '../database/dump-redis.js';
import { AnnalsProcess, type AppName, type Variables } from './annals-process.js';
import { type AnnalsSystem, inspectDatabase } from './annals-system.js';
import { findProgram } from './find-program.js';
import { CapturedOutput, spawnNode } from './spawn-node.js';
import { createTestKey, createTestSecret } from './test-secrets.js';

export interface DistributedOptions {
  /** Number of processes of each app; default 1. */
  readonly gateways?: number;
  readonly extractions?: number;
  readonly persistences?: number;
  /** Processes of each of the two services of minds; default 0. Switch minds on in `env`. */
  readonly minds?: number;
  /** A superuser's URL of a database that only this system uses. */
  readonly adminDatabaseUrl: string;
  /** URL of the same database with the role of the services. */
  readonly databaseUrl: string;
  /** Password that the migration sets for that role, on a server that no other test uses. */
  readonly appPassword?: string;
  readonly redisUrl: string;
  /** Lower-case letters, digits, `_` and `-`. */
  readonly queuePrefix: string;
  /** Variables for all processes. */
  readonly env?: Variables;
  /** Runs last in `close`. */
  readonly release?: () => Promise<void>;
}

export interface DistributedSystem extends AnnalsSystem {
  readonly profile: 'services';
  /** With the role of the services. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly queuePrefix: string;
  /** Pids and URLs stay the same objects over restarts. */
  readonly gateways: readonly AnnalsProcess[];
  readonly extractions: readonly AnnalsProcess[];
  readonly persistences: readonly AnnalsProcess[];
}

/** Migrates the database, then starts gateway, extraction and persistence as processes of their own. */
export async function startDistributed(options: DistributedOptions): Promise<DistributedSystem> {
  const [tenantKey, operatorKey] = [createTestKey('tenant'), createTestKey('operator')];
  const env = {
    ANNALS_DATABASE_URL: options.databaseUrl,
    ANNALS_REDIS_URL: options.redisUrl,
    ANNALS_QUEUE_PREFIX: options.queuePrefix,
    ANNALS_SECRET_KEY: createTestSecret(),
    ANNALS_LOG_LEVEL: 'debug',
    // A spec that is about minds switches them on.
    ANNALS_MINDS: 'off',
    ANNALS_MINDS_BUSY_PERCENT: '100',
    // Beside the specs of all other workers, services of minds would have a hundredth of the machine, and lose their leases.
    ANNALS_MINDS_NICE: '0',
    ...options.env,
  };
  const prepare = (app: AppName, count = 1) =>
    Promise.all(Array.from({ length: count }, () => AnnalsProcess.prepare(app, env)));
  const gateways = await prepare('gateway', options.gateways);
  const extractions = await prepare('extraction', options.extractions);
  const persistences = await prepare('persistence', options.persistences);
  const tomInsights = await prepare('tom-insight', options.minds ?? 0);
  const consolidationWorkers = await prepare('consolidation-worker', options.minds ?? 0);
  const processes = [...gateways, ...extractions, ...persistences, ...tomInsights, ...consolidationWorkers];
  const close = async (): Promise<void> => {
    await Promise.all(processes.map((each) => each.kill9()));
    await options.release?.();
  };
  try {
    await runMigration(options, { tenantKey, operatorKey });
    await Promise.all(processes.map((each) => each.start()));
  } catch (error) {
    await close();
    throw error;
  }
  const byApp = {
    gateway: gateways,
    extraction: extractions,
    persistence: persistences,
    'tom-insight': tomInsights,
    'consolidation-worker': consolidationWorkers,
  };
  let turn = 0;
  return {
    profile: 'services',
    databaseUrl: options.databaseUrl,
    redisUrl: options.redisUrl,
    queuePrefix: options.queuePrefix,
    gateways,
    extractions,
    persistences,
    processes,
    processesOf: (app) => byApp[app],
    nextUrl: () => gateways[turn++ % gateways.length]!.url,
    tenantKey,
    operatorKey,
    get logs() {
      return processes.map(({ output }) => output.text).join('');
    },
    get lastLines() {
      return processes.map(({ app, output }) => `--- ${app}\n${output.tail}`).join('\n');
    },
    inspect: (work) => inspectDatabase({ connectionString: options.adminDatabaseUrl }, work),
    dumpQueues: () => dumpRedis(options.redisUrl, options.queuePrefix),
    close,
  };
}

/** Runs the same program that deployments run before the services. */
async function runMigration(
  { adminDatabaseUrl, appPassword }: DistributedOptions,
  keys: { tenantKey: string; operatorKey: string },
): Promise<void> {
  const output = new CapturedOutput();
  const child = spawnNode([findProgram('libs/storage/dist/cli/migrate.js')], {
    env: {
      PATH: process.env.PATH,
      ANNALS_ADMIN_DATABASE_URL: adminDatabaseUrl,
      ANNALS_BOOTSTRAP_KEY: keys.tenantKey,
      ANNALS_OPERATOR_KEY: keys.operatorKey,
      ...(appPassword === undefined ? {} : { ANNALS_DB_APP_PASSWORD: appPassword }),
    },
  });
  output.follow(child.stdout, child.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The migration failed:\n${output.tail}`);
}

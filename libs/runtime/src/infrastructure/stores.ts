import type { Config } from '@annals/config';
import type { StatementLimits } from '@annals/storage';
import type { Duplex } from 'node:stream';
import { type ModelsConfig, readModelLimits } from '../model-calls/model-limits.js';
import { createInfrastructure, type Infrastructure, type Stores } from './infrastructure.js';
import type { ProcessContext } from './process-context.js';

/** Configuration fragments that every service of the distributed profile loads, in addition to its own. */
export const DISTRIBUTED_FRAGMENTS = [
  'http',
  'secrets',
  'database',
  'redis',
  'queue',
  'relay',
  'minds',
  'logging',
  'telemetry',
  'metrics',
  'lifecycle',
] as const;
export type DistributedConfig = Config<(typeof DISTRIBUTED_FRAGMENTS)[number]>;

const SERVICE_ROLE = 'annals_app';
/** Far above any normal pause between two statements, yet short enough for an operator to wait for. */
const IDLE_TRANSACTION_MS = 60_000;

/** Whether somebody waits for what a process does: for the answers of `requests`, or for nothing of `work`. */
export type ProcessPurpose = 'requests' | 'work';

/** The infrastructure of a service of the distributed profile, with the limits of its remote models. */
export function connectDistributed(
  context: ProcessContext,
  config: DistributedConfig & ModelsConfig,
  purpose: ProcessPurpose = 'work',
): Promise<Infrastructure> {
  const { secrets, relay, minds, telemetry } = config;
  return createInfrastructure(context, {
    stores: distributedStores(config, `annals-${context.name}`, purpose),
    ...secrets,
    relay,
    traced: isTraced(telemetry),
    models: readModelLimits(config),
    minds,
  });
}

/**
 * Stores on separate servers. Whatever role the URL logs in as, statements run as the role that row-level security
 * applies to: with the URL of an owner or a superuser every tenant would silently see all others.
 */
export function distributedStores(
  { database, redis, queue }: Pick<DistributedConfig, 'database' | 'redis' | 'queue'>,
  applicationName: string,
  purpose: ProcessPurpose = 'work',
): Stores {
  const { url, poolSize, prepared, acquireTimeoutMs: acquireMs } = database;
  const limits = readStatementLimits(database, purpose);
  const connection = { url, poolSize, prepared, acquireMs, limits };
  return {
    database: { ...connection, role: SERVICE_ROLE, applicationName, idleTransactionMs: IDLE_TRANSACTION_MS },
    queue: { kind: 'redis', url: redis.url, prefix: queue.prefix },
    coordination: { kind: 'redis', url: redis.url, prefix: `${queue.prefix}-coordination` },
  };
}

/** The limits of statements by path. The embedded database has none: it cannot interrupt a statement. */
function readStatementLimits(database: DistributedConfig['database'], purpose: ProcessPurpose): StatementLimits {
  return {
    statementMs: purpose === 'requests' ? database.requestTimeoutMs : database.workTimeoutMs,
    pathMs: { recall: database.recallTimeoutMs, bulk: database.bulkTimeoutMs },
    lockMs: database.lockTimeoutMs,
  };
}

/** The embedded database runs all statements one after another, so more connections would only wait. */
const EMBEDDED_POOL_SIZE = 8;

/** Both stores in the database inside this process; services act as the role that row-level security applies to. */
export function embeddedStores(createStream: () => Duplex): Stores {
  return {
    database: { stream: createStream, role: SERVICE_ROLE, poolSize: EMBEDDED_POOL_SIZE, prepared: true },
    queue: { kind: 'postgres', pool: { stream: createStream } },
    coordination: { kind: 'in_process' },
  };
}

/** Whether spans are exported: without an exporter jobs are not traced, at no cost. */
export function isTraced({ tracesExporter, otlpEndpoint }: Config<'telemetry'>['telemetry']): boolean {
  return tracesExporter === undefined ? otlpEndpoint !== undefined : tracesExporter !== 'none';
}

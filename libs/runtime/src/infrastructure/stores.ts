import type { Config } from '@annals/config';
import type { Duplex } from 'node:stream';
import { type ModelsConfig, readModelLimits } from '../model-calls/read-model-limits.js';
import { createInfrastructure, type Stores } from './create-infrastructure.js';
import type { Infrastructure } from './infrastructure.js';
import type { ProcessContext } from './process-context.js';

/** Configuration every service of the distributed profile loads, beside what it needs itself. */
export const DISTRIBUTED_FRAGMENTS = [
  'http',
  'secrets',
  'database',
  'redis',
  'queue',
  'relay',
  'logging',
  'telemetry',
  'lifecycle',
] as const;
export type DistributedConfig = Config<(typeof DISTRIBUTED_FRAGMENTS)[number]>;

const SERVICE_ROLE = 'annals_app';
/** Far above any honest pause between two statements, far below an operator's patience. */
const IDLE_TRANSACTION_MS = 60_000;

/** The infrastructure of a service of the distributed profile, and what its remote models need. */
export function connectDistributed(
  context: ProcessContext,
  config: DistributedConfig & ModelsConfig,
): Promise<Infrastructure> {
  const { secrets, relay, telemetry } = config;
  return createInfrastructure(context, {
    stores: distributedStores(config, `annals-${context.name}`),
    secretKey: secrets.secretKey,
    relay,
    traced: isTraced(telemetry),
    models: readModelLimits(config),
  });
}

/**
 * Servers of their own. Whoever the URL logs in, statements run as the role that row-level security binds: with an owner's
 * or a superuser's URL every tenant would see all others, without a word.
 */
export function distributedStores(
  { database, redis, queue }: Pick<DistributedConfig, 'database' | 'redis' | 'queue'>,
  applicationName: string,
): Stores {
  return {
    database: { ...database, role: SERVICE_ROLE, applicationName, idleTransactionMs: IDLE_TRANSACTION_MS },
    queue: { kind: 'redis', url: redis.url, prefix: queue.prefix },
    coordination: { kind: 'redis', url: redis.url, prefix: `${queue.prefix}-coordination` },
  };
}

/** All statements of the embedded database run one after the other, so more connections would only wait. */
const EMBEDDED_POOL_SIZE = 8;

/** Both stores in the database inside this process; services act as the role that row-level security binds. */
export function embeddedStores(createStream: () => Duplex): Stores {
  return {
    database: { stream: createStream, role: SERVICE_ROLE, poolSize: EMBEDDED_POOL_SIZE, prepared: true },
    queue: { kind: 'postgres', pool: { stream: createStream } },
    coordination: { kind: 'in_process' },
  };
}

/** Whether spans go anywhere: without an exporter jobs are not traced and cost nothing. */
export function isTraced({ tracesExporter, otlpEndpoint }: Config<'telemetry'>['telemetry']): boolean {
  return tracesExporter === undefined ? otlpEndpoint !== undefined : tracesExporter !== 'none';
}

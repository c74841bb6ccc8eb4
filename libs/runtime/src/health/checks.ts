import { type HealthCheck, HealthCheckFailure } from '@annals/observability';
import type { Coordination } from '@annals/coordination';
import { countRecentBatchOutcomes } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { ProviderMonitor } from '../model-calls/provider-monitor.js';
import { isPipelineFailing, PIPELINE_WINDOW_MS } from './pipeline-health.js';

/**
 * Whether a service needs its queue and the pipeline behind it. A service that accepts and answers requests does not:
 * the outbox stores the work, and taking the service out of rotation would turn an outage of Redis, or the failing
 * batches of one tenant, into an outage of the whole API.
 */
export type QueueNeed = 'required' | 'optional';

type ReadinessDependencies = Pick<Infrastructure, 'database' | 'queueBackend' | 'clock'> & {
  readonly coordination?: Pick<Coordination, 'ping'> | null;
  readonly providers?: Pick<ProviderMonitor, 'statuses'>;
};

/**
 * The checks behind /health/ready: database, queue and pipeline
 * (docs/reference/batches.md#readiness-fails-when-every-batch-fails); in a process that calls remote models also the
 * coordination store and the providers. Neither of these two fails readiness: work that cannot be done waits.
 */
export function createReadinessChecks(infrastructure: ReadinessDependencies, queueNeed: QueueNeed): HealthCheck[] {
  const { coordination, providers } = infrastructure;
  return [
    { name: 'database', probe: () => probeDatabase(infrastructure) },
    { name: 'queue', probe: () => probeQueue(infrastructure, queueNeed) },
    { name: 'pipeline', probe: () => probePipeline(infrastructure, queueNeed) },
    ...(coordination ? [{ name: 'coordination', probe: () => probeCoordination(coordination) }] : []),
    ...(providers?.statuses ?? []).map(({ provider, model }) => ({
      name: `provider ${provider}`,
      probe: async () => describeProvider(providers!, provider, model),
    })),
  ];
}

async function probeDatabase({ database }: ReadinessDependencies): Promise<void> {
  try {
    await database.ping();
  } catch {
    throw new HealthCheckFailure('PostgreSQL does not answer');
  }
}

async function probeQueue({ queueBackend }: ReadinessDependencies, need: QueueNeed): Promise<string | void> {
  try {
    await queueBackend.ping();
  } catch {
    if (need === 'optional') return 'the queue does not answer: accepted work waits in the outbox';
    throw new HealthCheckFailure('the queue does not answer');
  }
}

async function probePipeline({ database, clock }: ReadinessDependencies, need: QueueNeed): Promise<string | void> {
  const outcomes = await countRecentBatchOutcomes(database, clock.now() - PIPELINE_WINDOW_MS);
  if (!isPipelineFailing(outcomes)) return;
  const finding = `all ${outcomes.failed} batches that ended in the last five minutes failed`;
  if (need === 'optional') return finding;
  throw new HealthCheckFailure(finding);
}

async function probeCoordination(coordination: Pick<Coordination, 'ping'>): Promise<string | void> {
  try {
    await coordination.ping();
  } catch {
    return 'the coordination store does not answer: model calls wait';
  }
}

/** The last known status: a health check sends no request to a provider. */
function describeProvider(
  { statuses }: Pick<ProviderMonitor, 'statuses'>,
  provider: string,
  model: string,
): string | undefined {
  const status = statuses.find((each) => each.provider === provider && each.model === model);
  return status?.usable === false ? (status.problem ?? 'the provider cannot be used at the moment') : undefined;
}

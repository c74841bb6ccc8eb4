import type { Health } from '@annals/contracts';
import type { Coordination } from '@annals/coordination';
import { type HealthCheck, HealthCheckFailure, runHealthChecks } from '@annals/observability';
import { countRecentBatchOutcomes } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { ProviderMonitor } from '../model-calls/provider-monitor.js';

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
    { name: 'database', probe: () => probeDatabase(infrastructure, queueNeed) },
    { name: 'queue', probe: () => probeQueue(infrastructure, queueNeed) },
    { name: 'pipeline', probe: () => probePipeline(infrastructure, queueNeed) },
    ...(coordination ? [{ name: 'coordination', probe: () => probeCoordination(coordination) }] : []),
    ...(providers?.statuses ?? []).map(({ provider, model }) => ({
      name: `provider ${provider}`,
      probe: async () => describeProvider(providers!, provider, model),
    })),
  ];
}

async function probeDatabase({ database }: ReadinessDependencies, need: QueueNeed): Promise<string | void> {
  if (!(await readDatabaseState(database))) return;
  // Queries are still answered, and writes get 503 with Retry-After.
  if (need === 'optional')
    return 'PostgreSQL is read-only: queries are answered, writes are refused until it accepts them';
  throw new HealthCheckFailure('PostgreSQL is read-only: work waits until it accepts writes');
}

/** True when PostgreSQL is read-only. */
async function readDatabaseState(database: ReadinessDependencies['database']): Promise<boolean> {
  try {
    // Fails while the schema is missing.
    await database.ping();
    return await database.isReadOnly();
  } catch {
    throw new HealthCheckFailure('PostgreSQL does not answer');
  }
}

async function probeQueue({ queueBackend }: ReadinessDependencies, need: QueueNeed): Promise<string | void> {
  try {
    await answersInTime(queueBackend.ping());
  } catch {
    if (need === 'optional') return 'the queue does not answer: accepted work waits in the outbox';
    throw new HealthCheckFailure('the queue does not answer');
  }
}

const PIPELINE_WINDOW_MS = 5 * 60_000;
const MIN_FAILED_BATCHES = 5;

/** True when every batch that ended within the window failed; a pipeline that is idle or has successes is healthy. */
export function isPipelineFailing({ done, failed }: { readonly done: number; readonly failed: number }): boolean {
  return done === 0 && failed >= MIN_FAILED_BATCHES;
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
    await answersInTime(coordination.ping());
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

const CHECK_TIMEOUT_MS = 2_000;
/** Shorter: a store that hangs is one that does not answer, and is for the check to judge. */
const ANSWER_TIMEOUT_MS = 1_500;

async function answersInTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HealthCheckFailure('no answer')), ANSWER_TIMEOUT_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Fails from the moment when the process begins to stop, so that no new work is sent to it. */
export class Readiness {
  private stopping = false;

  constructor(private readonly checks: readonly HealthCheck[]) {}

  startStopping(): void {
    this.stopping = true;
  }

  async check(): Promise<Health> {
    if (this.stopping)
      return { status: 'failing', checks: [{ name: 'process', status: 'failing', detail: 'the process is stopping' }] };
    const { status, checks } = await runHealthChecks(this.checks, CHECK_TIMEOUT_MS);
    return { status, checks: [...checks] };
  }
}

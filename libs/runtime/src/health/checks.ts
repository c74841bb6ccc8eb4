import { type HealthCheck, HealthCheckFailure } from '@annals/observability';
import { recentBatchOutcomes } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import { isPipelineFailing, PIPELINE_WINDOW_MS } from './judge-pipeline.js';

/**
 * Whether a service can work without its queue and the pipeline behind it. One that accepts and answers can: the outbox
 * keeps the work, and taking it out of rotation would turn an outage of Redis, or one tenant's failing batches, into an
 * outage of the whole API.
 */
export type QueueNeed = 'required' | 'optional';

type Checked = Pick<Infrastructure, 'database' | 'queueBackend' | 'clock'>;

/** The checks behind /health/ready: database, queue and pipeline (decision 30). */
export function createReadinessChecks(infrastructure: Checked, queueNeed: QueueNeed): HealthCheck[] {
  return [
    { name: 'database', probe: () => probeDatabase(infrastructure) },
    { name: 'queue', probe: () => probeQueue(infrastructure, queueNeed) },
    { name: 'pipeline', probe: () => probePipeline(infrastructure, queueNeed) },
  ];
}

async function probeDatabase({ database }: Checked): Promise<void> {
  try {
    await database.ping();
  } catch {
    throw new HealthCheckFailure('PostgreSQL does not answer');
  }
}

async function probeQueue({ queueBackend }: Checked, need: QueueNeed): Promise<string | void> {
  try {
    await queueBackend.ping();
  } catch {
    if (need === 'optional') return 'the queue does not answer: accepted work waits in the outbox';
    throw new HealthCheckFailure('the queue does not answer');
  }
}

async function probePipeline({ database, clock }: Checked, need: QueueNeed): Promise<string | void> {
  const outcomes = await recentBatchOutcomes(database, clock.now() - PIPELINE_WINDOW_MS);
  if (!isPipelineFailing(outcomes)) return;
  const finding = `all ${outcomes.failed} batches that ended in the last five minutes failed`;
  if (need === 'optional') return finding;
  throw new HealthCheckFailure(finding);
}

import type { WorkJob, WorkKind } from '@annals/contracts';
import type { JobError } from '@annals/messaging';
import { failWork } from '@annals/storage';
import { type EndBatchDependencies, explainFailure } from '../batch-job/end-batch.js';

/** Records that work has failed, and why. Does nothing when it has ended or was asked for again. */
export async function endFailedWork(
  { database, clock, logger }: Omit<EndBatchDependencies, 'metrics'>,
  kind: WorkKind,
  { tenantId, subjectId, generation }: WorkJob,
  jobError: JobError,
): Promise<void> {
  const { code } = explainFailure(jobError.code);
  const failed = await database.inTenant(tenantId, (tx) =>
    failWork(tx, { kind, subjectId, generation, code, now: clock.now() }),
  );
  if (failed) logger.warn('work_failed', { tenantId, kind, subjectId, reason: code });
}

import { isBatchKind } from '@annals/contracts';
import {
  type OrphanedState,
  type OutboxRelay,
  PermanentJobError,
  toWorkJob,
  type WorkRow,
  type WorkStore,
} from '@annals/messaging';
import { endBatch, type EndBatchDependencies } from '../batch-job/end-batch.js';
import { endFailedWork } from './end-failed-work.js';

export interface OrphanedRowDependencies extends EndBatchDependencies {
  readonly store: Pick<WorkStore, 'returnToWaiting'>;
  readonly relay: Pick<OutboxRelay, 'kick'>;
}

/**
 * Handles a row that the sweep found: its job has ended while its work has not. A failed job fails its batch or work,
 * which can be run again by hand; a job that completed without an effect (its worker lost the work to another, which
 * died) runs again.
 */
export async function settleOrphanedRow(
  deps: OrphanedRowDependencies,
  row: WorkRow,
  state: OrphanedState,
): Promise<void> {
  if (state === 'failed') {
    const stalled = new PermanentJobError('stalled_too_often');
    if (isBatchKind(row.kind)) return endBatch(deps, row.kind, toWorkJob(row), stalled);
    return endFailedWork(deps, row.kind, toWorkJob(row), stalled);
  }
  if ((await deps.store.returnToWaiting([row], deps.clock.now())) > 0) deps.relay.kick();
}

import {
  PermanentJobError,
  type OutboxRelay,
  type OutboxRow,
  type OutboxStore,
  type OrphanedState,
  toBatchJob,
} from '@annals/messaging';
import { endBatch, type EndBatchDependencies } from '../batch-job/end-batch.js';

export interface OrphanedRowDependencies extends EndBatchDependencies {
  readonly store: Pick<OutboxStore, 'returnToWaiting'>;
  readonly relay: Pick<OutboxRelay, 'kick'>;
}

/**
 * Handles a row that the sweep found: its job has ended while its batch has not. A failed job fails its batch, which
 * can be replayed; a job that completed without an effect (its worker lost the batch to another, which died) runs
 * again.
 */
export async function settleOrphanedRow(
  deps: OrphanedRowDependencies,
  row: OutboxRow,
  state: OrphanedState,
): Promise<void> {
  if (state === 'failed') return endBatch(deps, row.queue, toBatchJob(row), new PermanentJobError('stalled_too_often'));
  if ((await deps.store.returnToWaiting([row], deps.clock.now())) > 0) deps.relay.kick();
}

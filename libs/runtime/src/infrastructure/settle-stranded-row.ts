import {
  JobMistake,
  type OutboxRelay,
  type OutboxRow,
  type OutboxStore,
  type StrandedState,
  toBatchJob,
} from '@annals/messaging';
import { endBatch, type EndBatchDependencies } from '../batch-job/end-batch.js';

export interface StrandedRowDependencies extends EndBatchDependencies {
  readonly store: Pick<OutboxStore, 'returnToWaiting'>;
  readonly relay: Pick<OutboxRelay, 'kick'>;
}

/**
 * Ends what the sweep found: a job that is over while its batch is not. One that failed fails its batch, which can be
 * replayed; one that completed without an effect (its worker lost the batch to another, which died) runs again.
 */
export async function settleStrandedRow(
  deps: StrandedRowDependencies,
  row: OutboxRow,
  state: StrandedState,
): Promise<void> {
  if (state === 'failed') return endBatch(deps, row.queue, toBatchJob(row), new JobMistake('stalled_too_often'));
  if ((await deps.store.returnToWaiting([row], deps.clock.now())) > 0) deps.relay.kick();
}

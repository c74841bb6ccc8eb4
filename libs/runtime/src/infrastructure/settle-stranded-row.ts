import type { Clock } from '@annals/domain';
import type { OutboxRelay, OutboxRow, OutboxStore, StrandedState } from '@annals/messaging';
import { type Database, failBatch } from '@annals/storage';

export interface StrandedRowDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly store: Pick<OutboxStore, 'returnToWaiting'>;
  readonly clock: Clock;
  readonly relay: Pick<OutboxRelay, 'kick'>;
}

/**
 * Ends what the sweep found: a job that is over while its batch is not. One that failed fails its batch, which can be
 * replayed; one that completed without an effect (its worker lost the batch to another, which died) runs again.
 */
export async function settleStrandedRow(
  { database, store, clock, relay }: StrandedRowDependencies,
  row: OutboxRow,
  state: StrandedState,
): Promise<void> {
  const now = clock.now();
  if (state === 'completed') {
    if ((await store.returnToWaiting([row], now)) > 0) relay.kick();
    return;
  }
  const { batchId, generation } = row;
  await database.inTenant(row.tenantId, (tx) =>
    failBatch(tx, {
      batchId,
      generation,
      code: 'stalled',
      message: 'The work was taken up several times and never finished. Replay the batch.',
      now,
    }),
  );
}

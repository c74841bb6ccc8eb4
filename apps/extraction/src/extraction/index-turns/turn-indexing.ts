import type { JobAttempt, BatchEnding, ClaimedBatch, Infrastructure } from '@annals/runtime';
import { indexTurns, isTransientDatabaseError } from '@annals/storage';

/**
 * Indexes the turns of a batch, concurrently with the model call and before the commit, so that they can be recalled
 * whatever the model answers. An error in indexing does not discard an answer that is paid for: the index job finds the
 * batch later.
 */
export class TurnIndexing {
  private indexing: Promise<unknown>;

  constructor(
    private readonly infrastructure: Pick<Infrastructure, 'database' | 'clock' | 'ids'>,
    private readonly batch: ClaimedBatch,
    private readonly attempt: Pick<JobAttempt, 'withoutSlot'>,
  ) {
    this.indexing = this.start();
  }

  /** Waits until the turns are indexed; after an outage of the database they are indexed again. */
  async beforeCommit(): Promise<void> {
    await this.wait();
    await this.indexing.catch((error: unknown) => {
      if (isTransientDatabaseError(error)) return (this.indexing = this.start());
    });
  }

  /** Waits for the end of indexing. @throws its error, unless the batch runs again */
  async close(ending: BatchEnding | undefined): Promise<void> {
    await this.wait();
    if (ending && ending.ends !== 'delayed') await this.indexing;
  }

  private wait(): Promise<unknown> {
    return this.attempt.withoutSlot(() => this.indexing.catch(() => undefined));
  }

  /** In its own transaction, since it locks the user before the batch. */
  private start(): Promise<unknown> {
    const { database, clock, ids } = this.infrastructure;
    const { tenantId, batchId, userId } = this.batch;
    const indexing = database.inTenantTogether(tenantId, userId, (tx) =>
      indexTurns(tx, { batchId, now: clock.now(), ids }),
    );
    // It may fail during the model call, before it is awaited: an unhandled rejection would end the process.
    indexing.catch(() => undefined);
    return indexing;
  }
}

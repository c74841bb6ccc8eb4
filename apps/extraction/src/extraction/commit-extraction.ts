import type { Clock, IdGenerator } from '@annals/domain';
import { completeExtraction, type Database, type ExtractionResult, isTransientDatabaseError } from '@annals/storage';
import { setTimeout as wait } from 'node:timers/promises';

export interface CommitDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/** A restart of PostgreSQL passes in that time; the answer was paid for and would otherwise be bought again. */
const TRIES = 10;
const PAUSE_MS = 1_000;

/**
 * Writes what was extracted, again and again while PostgreSQL is away, each time after what has to be done before. The
 * fence decides: whatever an earlier try came to, the batch is written once.
 */
export async function commitExtraction(
  { database, clock, ids }: CommitDependencies,
  tenantId: string,
  result: Omit<ExtractionResult, 'now'>,
  { beforeCommit, signal }: { readonly beforeCommit: () => Promise<void>; readonly signal: AbortSignal },
): Promise<'committed' | 'lost'> {
  for (let tries = 1; ; tries += 1) {
    try {
      await beforeCommit();
      return await database.inTenant(tenantId, (tx) => completeExtraction(tx, { ...result, now: clock.now() }, ids));
    } catch (error) {
      if (!isTransientDatabaseError(error) || tries === TRIES || signal.aborted) throw error;
    }
    await wait(PAUSE_MS);
  }
}

import type { Clock, IdGenerator } from '@annals/domain';
import { completeExtraction, type Database, type ExtractionResult, isTransientDatabaseError } from '@annals/storage';
import { setTimeout as wait } from 'node:timers/promises';

export interface CommitDependencies {
  readonly database: Pick<Database, 'inTenant'>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

/** Long enough for a restart of PostgreSQL: if the commit fails, the answer has to be paid for again. */
const MAX_ATTEMPTS = 10;
const RETRY_DELAY_MS = 1_000;

/**
 * Commits an extraction, retrying while PostgreSQL is unavailable. `beforeCommit` runs before each attempt. Whatever
 * the outcome of an earlier attempt, the fence ensures that the batch is written once.
 */
export async function commitExtraction(
  { database, clock, ids }: CommitDependencies,
  tenantId: string,
  result: Omit<ExtractionResult, 'now'>,
  { beforeCommit, signal }: { readonly beforeCommit: () => Promise<void>; readonly signal: AbortSignal },
): Promise<'committed' | 'lost'> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await beforeCommit();
      return await database.inTenant(tenantId, (tx) => completeExtraction(tx, { ...result, now: clock.now() }, ids));
    } catch (error) {
      if (!isTransientDatabaseError(error) || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
    }
    await wait(RETRY_DELAY_MS);
  }
}

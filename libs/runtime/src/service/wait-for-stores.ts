import { computeRetryDelayMs, type Rng } from '@annals/domain';
import type { Logger } from '@annals/observability';
import { isTransientDatabaseError, sqlState } from '@annals/storage';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * undefined_table, undefined_function, invalid_schema_name, and insufficient_privilege while the schema exists and its
 * grants do not: the migration has not run yet, or is running.
 */
const UNMIGRATED_STATES = new Set(['42P01', '42883', '3F000', '42501']);

/** Doubles up to five seconds, with jitter, so that the processes of a fleet do not connect at the same time. */
const RETRY_DELAY = { firstMs: 200, maxMs: 5_000, jitter: 0.5 };

export interface WaitOptions {
  readonly rng: Rng;
  readonly logger: Logger;
  /** Ends the wait with the reason of the signal. */
  readonly signal: AbortSignal;
}

/**
 * Opens the stores, and retries while they are unreachable or not migrated: a process that waits is better than one
 * that restarts in a loop. Any other error, such as a wrong password, is thrown immediately.
 */
export async function waitForStores<T>(open: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { rng, logger, signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const opened = await open();
      if (attempt > 0) logger.info('database_available');
      return opened;
    } catch (error) {
      const awaited = describeAwaited(error);
      if (awaited === undefined) throw error;
      if (attempt === 0) logger.warn('database_unavailable', { awaited, error });
      await sleep(computeRetryDelayMs(RETRY_DELAY, attempt, rng), undefined, { signal });
    }
  }
}

/** What must become available before the error goes away by itself; undefined when it will not. */
export function describeAwaited(error: unknown): string | undefined {
  if (isTransientDatabaseError(error)) return 'PostgreSQL';
  return UNMIGRATED_STATES.has(sqlState(error) ?? '') ? 'the database migration' : undefined;
}

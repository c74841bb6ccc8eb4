import { type Database, DeletionsFile, exportDeletions, exportSpending, type ListKeys } from '@annals/storage';
import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 5_000;
/** The spending is read from many rows: once a minute. */
const ROUNDS_PER_SPENDING = 12;

interface KeepDeletionsOptions {
  readonly file: string;
  /** The installation's audit keys. */
  readonly keys: ListKeys;
  readonly now: () => number;
  readonly onFailed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Appends deletions to the list, soon after they were made, until `signal` ends, and once more then. */
export async function keepDeletions(database: Database, options: KeepDeletionsOptions): Promise<void> {
  const { file, keys, now, onFailed, signal } = options;
  let list: DeletionsFile | undefined;
  let failure: string | undefined;
  for (let round = 0; ; round += 1) {
    const isLast = signal.aborted;
    try {
      if (!(await list?.isAsLeft())) list = await DeletionsFile.open(file, { keys, now: now() });
      await exportDeletions(database, list!);
      if (isLast || round % ROUNDS_PER_SPENDING === 0) await exportSpending(database, file, { keys, now: now() });
      failure = undefined;
    } catch (error) {
      list = undefined;
      // Once for each cause: the next attempt is in a few seconds.
      const cause = String(error);
      if (cause !== failure) onFailed(error);
      failure = cause;
    }
    if (isLast) return;
    await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

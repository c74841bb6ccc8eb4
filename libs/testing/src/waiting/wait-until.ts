export interface WaitOptions {
  /** The condition in words, such as "the batch is done", for the error message. */
  readonly describe: string;
  /** Default 3 min: it ends a wait for what never happens, and must not be reached on a busy machine. */
  readonly timeoutMs?: number;
  /** Pause between two checks. Default: 20 ms at first, then longer the longer it has waited, up to 250 ms. */
  readonly intervalMs?: number;
}

const FIRST_INTERVAL_MS = 20;
const MAX_INTERVAL_MS = 250;
/** A condition that is met between two checks is seen later by at most this share of the wait. */
const MAX_DELAY_SHARE = 0.05;

export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/**
 * Polls until `condition` returns a truthy value, and resolves to that. A condition that throws counts as not
 * fulfilled; its last error is the cause of the {@link WaitTimeoutError}.
 */
export async function waitUntil<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { describe, timeoutMs = 180_000, intervalMs } = options;
  const startedMs = performance.now();
  const deadline = startedMs + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const result = await withDeadline(condition, deadline);
      if (result) return result;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new WaitTimeoutError(`Timed out after ${timeoutMs} ms waiting until ${describe}.`, { cause: lastError });
    }
    const pauseMs = intervalMs ?? choosePause(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Checks are requests and queries mostly: many of them in a long wait would take the time of what is waited for. */
function choosePause(waitedMs: number): number {
  return Math.min(MAX_INTERVAL_MS, Math.max(FIRST_INTERVAL_MS, waitedMs * MAX_DELAY_SHARE));
}

/** A condition that never settles must not outlive the deadline. */
async function withDeadline<T>(condition: () => T | Promise<T>, deadline: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(1, deadline - performance.now()));
  });
  try {
    return await Promise.race([condition(), late]);
  } finally {
    clearTimeout(timer);
  }
}

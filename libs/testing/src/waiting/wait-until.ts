export interface WaitOptions {
  /** The condition in words, such as "the batch is done", for the error message. */
  readonly describe: string;
  /** Default 3 min: it ends a wait for what never happens, and must not be reached on a busy machine. */
  readonly timeoutMs?: number;
  /** Pause between two checks. Default 20 ms. */
  readonly intervalMs?: number;
}

export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/**
 * Polls until `condition` returns a truthy value, and resolves to that. A condition that throws counts as not
 * fulfilled; its last error is the cause of the {@link WaitTimeoutError}.
 */
export async function waitUntil<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { describe, timeoutMs = 180_000, intervalMs = 20 } = options;
  const deadline = performance.now() + timeoutMs;
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
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
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

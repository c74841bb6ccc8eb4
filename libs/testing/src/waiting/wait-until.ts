export interface WaitOptions {
  /** What is awaited, as in "the batch is done": it completes the sentence of the error. */
  readonly describe: string;
  /** Default 10 s. */
  readonly timeoutMs?: number;
  /** Pause between two looks. Default 20 ms. */
  readonly intervalMs?: number;
}

export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/**
 * Looks again and again until `condition` gives something truthy, and answers that. A condition that throws counts as
 * not fulfilled yet; its last error is the cause of the {@link WaitTimeoutError}.
 */
export async function waitUntil<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<NonNullable<T>> {
  const { describe, timeoutMs = 10_000, intervalMs = 20 } = options;
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
      throw new WaitTimeoutError(`Waited ${timeoutMs} ms in vain until ${describe}.`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** A look that never comes back must not outlive the deadline. */
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

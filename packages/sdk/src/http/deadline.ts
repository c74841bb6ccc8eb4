import { AbortError, AnnalsError, ConnectionError, TimeoutError } from '../errors/annals-error.js';
import type { System } from '../system.js';

/**
 * Ends one attempt: after its time, or when the caller aborts. `AbortSignal.any` and `timeout` are not used, since a
 * stream sets the time anew with each chunk, and since both leave listeners behind in some runtimes.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private stopTimer: () => void = () => undefined;
  private timedOut = false;

  constructor(
    private readonly system: System,
    private readonly timeoutMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    if (caller?.aborted) this.abort();
    else caller?.addEventListener('abort', this.abort);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    this.pause();
    this.stopTimer = this.system.startTimer(this.timeoutMs, () => {
      this.timedOut = true;
      this.controller.abort();
    });
  }

  /** While the caller works on what has arrived. */
  pause(): void {
    this.stopTimer();
  }

  end(): void {
    this.pause();
    this.caller?.removeEventListener('abort', this.abort);
  }

  /** The error to be thrown for anything that was thrown during the attempt. */
  explain(error: unknown, what: string): AnnalsError {
    if (error instanceof AnnalsError) return error;
    if (this.caller?.aborted) return abortError(this.caller, what);
    if (this.timedOut)
      return new TimeoutError(`${what}: no answer within ${this.timeoutMs} ms (timeoutMs).`, { cause: error });
    return new ConnectionError(`${what}: ${describeCause(error)}`, { cause: error });
  }

  private readonly abort = (): void => this.controller.abort();
}

export function abortError(signal: AbortSignal, what: string): AbortError {
  return new AbortError(`${what}: aborted by the caller's signal.`, { cause: signal.reason });
}

/** Node says "fetch failed", and why in the cause: only by its code if a name has several addresses. */
function describeCause(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message || (inner as { code?: string }).code || inner.name : String(inner);
}

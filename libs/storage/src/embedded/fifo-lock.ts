export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
  constructor(readonly waitedMs: number) {
    super(
      `The embedded database was locked by another connection's open transaction for more than ${waitedMs} ms. ` +
        'It serves one transaction at a time: end that transaction sooner, and never await a query of a second ' +
        'connection inside it.',
    );
  }
}

export class LockWaitCancelledError extends Error {
  override readonly name = 'LockWaitCancelledError';
}

interface Waiter {
  readonly owner: object;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** A mutex that serves waiting owners in order of arrival. Owners are compared by identity. */
export class FifoLock {
  private holder: object | undefined;
  private waiters: Waiter[] = [];

  /** Resolves when `owner` holds the lock. Rejects with {@link LockTimeoutError} or {@link LockWaitCancelledError}. */
  async acquire(owner: object, timeoutMs?: number): Promise<void> {
    if (this.holder === undefined) {
      this.holder = owner;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const expire = (): void => {
        this.remove(owner);
        reject(new LockTimeoutError(timeoutMs!));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
      this.waiters.push({ owner, resolve, reject, timer });
    });
  }

  release(owner: object): void {
    if (this.holder !== owner) throw new Error('Only the holder of a lock may release it.');
    const next = this.waiters.shift();
    this.holder = next?.owner;
    clearTimeout(next?.timer);
    next?.resolve();
  }

  /** Removes a waiting owner from the queue. Does nothing when it is not waiting. */
  cancel(owner: object): void {
    this.remove(owner)?.reject(new LockWaitCancelledError('The wait for the embedded database was cancelled.'));
  }

  isHeldBy(owner: object): boolean {
    return this.holder === owner;
  }

  private remove(owner: object): Waiter | undefined {
    const at = this.waiters.findIndex((waiter) => waiter.owner === owner);
    if (at < 0) return undefined;
    const [waiter] = this.waiters.splice(at, 1);
    clearTimeout(waiter?.timer);
    return waiter;
  }
}

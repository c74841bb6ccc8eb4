import { Mutex, type MutexInterface } from 'async-mutex';

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

/** A mutex that serves owners (compared by identity) in order of arrival, with a time limit, cancellable. */
export class FifoLock {
  private readonly mutex = new Mutex();
  /** How often the lock was acquired. */
  acquisitions = 0;
  private holder: { readonly owner: object; readonly release: MutexInterface.Releaser } | undefined;
  private readonly abandonWait = new Map<object, (error: Error) => void>();

  /** Resolves when `owner` holds the lock. Rejects with {@link LockTimeoutError} or {@link LockWaitCancelledError}. */
  async acquire(owner: object, timeoutMs?: number): Promise<void> {
    const granted = this.mutex.acquire();
    const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>();
    this.abandonWait.set(owner, abandon);
    const expire = (): void => abandon(new LockTimeoutError(timeoutMs!));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    try {
      this.holder = { owner, release: await Promise.race([granted, abandoned]) };
      this.acquisitions += 1;
    } catch (error) {
      // The mutex cannot remove one waiter: its turn is passed on when it comes.
      void granted.then((release) => release());
      throw error;
    } finally {
      clearTimeout(timer);
      if (this.abandonWait.get(owner) === abandon) this.abandonWait.delete(owner);
    }
  }

  release(owner: object): void {
    if (this.holder?.owner !== owner) throw new Error('Only the holder of a lock may release it.');
    const { release } = this.holder;
    this.holder = undefined;
    release();
  }

  /** Ends the wait of an owner. Does nothing when it is not waiting. */
  cancel(owner: object): void {
    this.abandonWait.get(owner)?.(new LockWaitCancelledError('The wait for the embedded database was cancelled.'));
  }

  get isFree(): boolean {
    return !this.mutex.isLocked();
  }

  isHeldBy(owner: object): boolean {
    return this.holder?.owner === owner;
  }
}

import { FifoLock, LockTimeoutError, LockWaitCancelledError } from './fifo-lock.js';

describe('FifoLock', () => {
  it('serves waiting owners in order of arrival', async () => {
    const lock = new FifoLock();
    const owners = Array.from({ length: 5 }, () => ({}));
    const served: number[] = [];
    await lock.acquire(owners[0]!);
    const waits = owners.slice(1).map(async (owner, index) => {
      await lock.acquire(owner);
      served.push(index + 1);
      lock.release(owner);
    });
    lock.release(owners[0]!);
    await Promise.all(waits);
    expect(served).toEqual([1, 2, 3, 4]);
  });

  it('rejects an owner that waits too long, with advice, and removes it', async () => {
    const lock = new FifoLock();
    const [holder, late, next] = [{}, {}, {}];
    await lock.acquire(holder);
    const refused = await lock.acquire(late, 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LockTimeoutError);
    expect((refused as Error).message).toContain('end that transaction sooner');
    const wait = lock.acquire(next);
    lock.release(holder);
    await wait;
    expect(lock.isHeldBy(next)).toBe(true);
  });

  it('skips an owner whose wait was cancelled', async () => {
    const lock = new FifoLock();
    const [holder, gone, next] = [{}, {}, {}];
    await lock.acquire(holder);
    const left = lock.acquire(gone).catch((error: unknown) => error);
    const wait = lock.acquire(next);
    lock.cancel(gone);
    expect(await left).toBeInstanceOf(LockWaitCancelledError);
    lock.release(holder);
    await wait;
    expect(lock.isHeldBy(next)).toBe(true);
  });

  it('can be released by its holder only', async () => {
    const lock = new FifoLock();
    await lock.acquire({});
    expect(() => lock.release({})).toThrow('Only the holder');
  });
});

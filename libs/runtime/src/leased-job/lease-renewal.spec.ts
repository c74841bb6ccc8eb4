import { startLeaseRenewal, LeaseLostError } from './lease-renewal.js';

describe('startLeaseRenewal', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('renews three times per lease duration', async () => {
    const renew = vi.fn(() => Promise.resolve(true));
    const lease = startLeaseRenewal(3_000, new AbortController().signal, renew);
    await vi.advanceTimersByTimeAsync(3_000);
    lease.stop();
    expect(renew).toHaveBeenCalledTimes(3);
    expect(lease.signal.aborted).toBe(false);
  });

  it('does not renew once stopped', async () => {
    const renew = vi.fn(() => Promise.resolve(true));
    startLeaseRenewal(3_000, new AbortController().signal, renew).stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(renew).not.toHaveBeenCalled();
  });

  it('aborts the work when another worker has the batch', async () => {
    const lease = startLeaseRenewal(3_000, new AbortController().signal, () => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(1_000);
    lease.stop();
    expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
  });

  it('continues when the database is unreachable', async () => {
    const lease = startLeaseRenewal(3_000, new AbortController().signal, () =>
      Promise.reject(new Error('unreachable')),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    lease.stop();
    expect(lease.signal.aborted).toBe(false);
  });

  it('does not renew for work that continues after its job was aborted', async () => {
    const job = new AbortController();
    const renew = vi.fn(() => Promise.resolve(true));
    const lease = startLeaseRenewal(3_000, job.signal, renew);
    await vi.advanceTimersByTimeAsync(1_000);
    job.abort(new Error('time is up'));
    await vi.advanceTimersByTimeAsync(10_000);
    lease.stop();
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('forwards the abort of the job', () => {
    const job = new AbortController();
    const lease = startLeaseRenewal(3_000, job.signal, () => Promise.resolve(true));
    job.abort(new Error('time is up'));
    lease.stop();
    expect(lease.signal.reason).toBe(job.signal.reason);
  });
});

/** The batch went to another worker while this one was at it: nothing can be committed any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('Another worker holds the batch now.');
  }
}

/** A third of the lease, so that two renewals may fail before it runs out. */
const RENEWALS_PER_LEASE = 3;

export interface LeaseRenewal {
  /** Aborted with LeaseLostError when the lease is gone, or with the reason of the outer signal. */
  readonly signal: AbortSignal;
  stop(): void;
}

/**
 * Renews a lease until stopped. `renew` answers false when another worker has the batch; when it fails, the lease
 * holds for a while longer and the next renewal decides. Once `outer` is aborted nothing is renewed any more: work that
 * hangs and never notices must not keep the batch from its next attempt.
 */
export function startLeaseRenewal(leaseMs: number, outer: AbortSignal, renew: () => Promise<boolean>): LeaseRenewal {
  const lost = new AbortController();
  const renewOnce = async () => {
    const held = await renew().catch(() => true);
    if (!held) lost.abort(new LeaseLostError());
  };
  const timer = setInterval(() => void renewOnce(), leaseMs / RENEWALS_PER_LEASE);
  const stop = () => clearInterval(timer);
  const signal = AbortSignal.any([outer, lost.signal]);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return { signal, stop };
}

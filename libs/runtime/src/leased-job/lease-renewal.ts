/** The lease was taken by another worker: nothing can be committed any more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
  constructor() {
    super('The lease was lost: another worker holds it now.');
  }
}

/** Three per lease, so that two renewals may fail before it expires. */
const RENEWALS_PER_LEASE = 3;

export interface LeaseRenewal {
  /** Aborted with LeaseLostError when the lease is gone, or with the reason of the outer signal. */
  readonly signal: AbortSignal;
  stop(): void;
}

/**
 * Renews a lease until stopped. `renew` resolves to false when another worker has the lease; when it rejects, the lease
 * holds for a while longer and the next renewal decides. Nothing is renewed once `outer` is aborted: hanging work that
 * ignores the signal must not block the next attempt on the batch.
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

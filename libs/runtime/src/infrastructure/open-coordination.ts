import {
  type BreakerPolicy,
  type Coordination,
  createInProcessCoordination,
  createRedisCoordination,
  DEFAULT_BREAKER_POLICY,
} from '@annals/coordination';
import type { Rng } from '@annals/domain';

/** The store of budgets, circuits and rates that all processes share. `in_process` is for a system of one process. */
export type CoordinationStore =
  { readonly kind: 'in_process' } | { readonly kind: 'redis'; readonly url: string; readonly prefix: string };

/** Does not wait for the store: model calls wait while it is unreachable. */
export function openCoordination(
  store: CoordinationStore,
  { breaker, rng }: { readonly breaker: Partial<BreakerPolicy> | undefined; readonly rng: Rng },
): Coordination {
  const breakerPolicy = { ...DEFAULT_BREAKER_POLICY, ...breaker };
  if (store.kind === 'in_process') return createInProcessCoordination({ breakerPolicy });
  return createRedisCoordination({ redis: store.url, keyPrefix: store.prefix, breakerPolicy, rng });
}

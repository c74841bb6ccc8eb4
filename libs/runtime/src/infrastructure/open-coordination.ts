import {
  type BreakerPolicy,
  type Coordination,
  createInProcessCoordination,
  createRedisCoordination,
  DEFAULT_BREAKER_POLICY,
} from '@annals/coordination';
import type { Rng } from '@annals/domain';

/** Where processes agree on budgets, circuits and rates. `in_process` is for a system that is one process. */
export type CoordinationStore =
  { readonly kind: 'in_process' } | { readonly kind: 'redis'; readonly url: string; readonly prefix: string };

/** Never waits for the store: without it, calls of models wait. */
export function openCoordination(
  store: CoordinationStore,
  { breaker, rng }: { readonly breaker: Partial<BreakerPolicy> | undefined; readonly rng: Rng },
): Coordination {
  const breakerPolicy = { ...DEFAULT_BREAKER_POLICY, ...breaker };
  if (store.kind === 'in_process') return createInProcessCoordination({ breakerPolicy });
  return createRedisCoordination({ redis: store.url, keyPrefix: store.prefix, breakerPolicy, rng });
}

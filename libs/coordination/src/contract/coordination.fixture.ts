import { DEFAULT_BREAKER_POLICY, type BreakerPolicy } from '../port/circuit-breaker.js';
import type { Coordination } from '../port/coordination.js';

/** Creates an empty coordination that only this test uses. */
export type CreateCoordination = (policy?: BreakerPolicy) => Coordination;

export function withPolicy(changes: Partial<BreakerPolicy>): BreakerPolicy {
  return { ...DEFAULT_BREAKER_POLICY, ...changes };
}

/** Runs `test` with a coordination that is closed afterwards, also when the test fails. */
export async function using<T>(
  create: CreateCoordination,
  policy: BreakerPolicy | undefined,
  test: (coordination: Coordination) => Promise<T>,
): Promise<T> {
  const coordination = create(policy);
  try {
    return await test(coordination);
  } finally {
    await coordination.close();
  }
}

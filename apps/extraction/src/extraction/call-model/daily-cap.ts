import type { CallOperation } from '@annals/contracts';
import { toBudgetDay } from '@annals/runtime';
import { countCalls } from '@annals/storage';
import type { FollowUp } from './request-once.js';

export const CAPPED = 'capped';

/** `capped` when the user has caused as many calls of an operation this UTC day as allowed, else null. Never throws. */
export async function checkDailyCap(
  { infrastructure: { database, clock }, batch: { tenantId, userId } }: FollowUp,
  operation: CallOperation,
  dailyCalls: number,
): Promise<string | null> {
  try {
    const day = toBudgetDay(clock.now());
    const calls = await database.readTenant(tenantId, (tx) => countCalls(tx, { userId, operation, day }));
    return calls >= dailyCalls ? CAPPED : null;
  } catch {
    // What is known so far is paid for, so it is written without the call.
    return 'unavailable';
  }
}

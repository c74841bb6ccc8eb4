import type { OutboxRelay } from '@annals/messaging';
import { type Database, wakeDeferredBatches } from '@annals/storage';

/** Work that a raised budget sets free begins within this time, not all in one moment. */
const SPREAD_MS = 10_000;

/** Sets to work what waits for money: a tenant's batches, or all for null. Answers how many. */
export async function resumeForBudget(
  { database, relay }: { readonly database: Database; readonly relay: Pick<OutboxRelay, 'kick'> },
  tenantId: string | null,
  now: number,
): Promise<number> {
  const resumed = await wakeDeferredBatches(database, {
    tenantId,
    reason: 'budget_exceeded',
    now,
    spreadMs: SPREAD_MS,
  });
  if (resumed > 0) relay.kick();
  return resumed;
}

import type { OutboxRelay } from '@annals/messaging';
import { type Database, wakeDeferredBatches } from '@annals/storage';

/** The resumed batches start spread over this time, to avoid a burst. */
const SPREAD_MS = 10_000;

/** Resumes batches that are deferred as `budget_exceeded`: a tenant's, or all for null. Returns their number. */
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

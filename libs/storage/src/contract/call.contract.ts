import { claimBatch } from '../batches/index.js';
import { openReservation, type CallSettlement, type NewReservation } from '../ledger/index.js';
import type { StorageBench } from './storage-bench.contract.js';

/** How long after it was opened a reservation of {@link reserve} expires. */
export const RESERVED_MS = 90_000;
/** What it holds. */
export const RESERVED_MICRO_USD = 500;

/** Money for one extraction call without batch, on the clock's day. */
export function reservationOf(bench: StorageBench, changes: Partial<NewReservation> = {}): NewReservation {
  const now = bench.clock.now();
  return {
    id: bench.ids.next(),
    batchId: null,
    userId: 'ada',
    operation: 'extraction',
    provider: 'claude',
    model: 'claude-1',
    amountMicroUsd: RESERVED_MICRO_USD,
    day: new Date(now).toISOString().slice(0, 10),
    fence: null,
    generation: null,
    now,
    expiresAt: now + RESERVED_MS,
    ...changes,
  };
}

/** Opens a reservation in a transaction of its own and answers its id. */
export async function reserve(
  bench: StorageBench,
  tenantId: string,
  changes: Partial<NewReservation> = {},
): Promise<string> {
  const reservation = reservationOf(bench, changes);
  await bench.inTenant(tenantId, (tx) => openReservation(tx, reservation));
  return reservation.id;
}

/** A call that went well: 100 tokens read, 20 written, for 30 micro-USD. */
export function settlementOf(
  bench: StorageBench,
  reservationId: string,
  changes: Partial<CallSettlement> = {},
): CallSettlement {
  return {
    reservationId,
    outcome: 'ok',
    usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 5, estimated: false },
    costMicroUsd: 30,
    durationMs: 1_234.5,
    now: bench.clock.now(),
    ...changes,
  };
}

/** Claims a batch for extraction and answers the fence. */
export async function claimForExtraction(
  bench: StorageBench,
  tenantId: string,
  batchId: string,
  generation = 1,
): Promise<number> {
  const request = { batchId, generation, queue: 'extraction' as const, now: bench.clock.now(), leaseMs: 60_000 };
  const claimed = await bench.inTenant(tenantId, (tx) => claimBatch(tx, request));
  if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
  return claimed.fence;
}

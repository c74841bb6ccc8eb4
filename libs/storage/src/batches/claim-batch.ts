import type { BatchState, WorkKindOf } from '@annals/contracts';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';

export interface ClaimRequest {
  readonly batchId: string;
  readonly generation: number;
  /** The stage. */
  readonly kind: WorkKindOf<'batch'>;
  /** Epoch ms. */
  readonly now: number;
  readonly leaseMs: number;
}

/**
 * `claimed`: the caller holds the batch under `fence` until its lease ends. `held`: another worker does, until `until`.
 * `stale`: nothing to do, since the job is of an older generation or its stage is over.
 */
export type Claim =
  | {
      readonly outcome: 'claimed';
      readonly fence: number;
      readonly userId: string;
      readonly conversationId: string;
      readonly attempts: number;
      /** Epoch ms. */
      readonly acceptedAt: number;
    }
  | { readonly outcome: 'held'; readonly until: number }
  | { readonly outcome: 'stale' };

/** The states in which a stage may claim a batch, and the state that the batch then has. */
export const STAGES: Record<WorkKindOf<'batch'>, { from: readonly BatchState[]; to: BatchState }> = {
  extraction: { from: ['queued', 'extracting', 'deferred'], to: 'extracting' },
  persistence: { from: ['persisting'], to: 'persisting' },
};

interface ClaimGiven {
  readonly batch_id: string;
  readonly generation: number;
  readonly claimed_at: Date;
  readonly until: Date;
  readonly stage: BatchState;
  readonly stages: readonly BatchState[];
}

type ClaimedRow = Pick<BatchEntity, 'fence' | 'user_id' | 'conversation_id' | 'attempts' | 'accepted_at'>;

const CLAIM = defineSet<ClaimGiven, ClaimedRow>(
  'batch_id uuid, generation integer, claimed_at timestamptz, until timestamptz, stage text, stages text[]',
  `UPDATE batches b
      SET fence = b.fence + 1, lease_until = given.until, attempts = b.attempts + 1, revision = b.revision + 1,
          state = given.stage, sealed_at = coalesce(b.sealed_at, given.claimed_at),
          started_at = coalesce(b.started_at, given.claimed_at), deferred_until = NULL, deferred_reason = NULL,
          shortfall_micro_usd = NULL
     FROM given
    WHERE b.id = given.batch_id AND b.generation = given.generation AND b.state = ANY (given.stages)
      AND (b.lease_until IS NULL OR b.lease_until <= given.claimed_at)
   RETURNING given.w, b.fence, b.user_id, b.conversation_id, b.attempts, b.accepted_at`,
);

/**
 * Claims a batch for one stage of work, and seals it when it is still open
 * (docs/reference/batches.md#leases-and-fences, docs/reference/batches.md#sealing-a-batch).
 */
export async function claimBatch(tx: Tx, request: ClaimRequest): Promise<Claim> {
  const stage = STAGES[request.kind];
  const now = new Date(request.now);
  const [claimed] = await tx.each(CLAIM, {
    batch_id: request.batchId,
    generation: request.generation,
    claimed_at: now,
    until: new Date(request.now + request.leaseMs),
    stage: stage.to,
    stages: stage.from,
  });
  if (claimed) {
    return {
      outcome: 'claimed',
      fence: Number(claimed.fence),
      userId: claimed.user_id,
      conversationId: claimed.conversation_id,
      attempts: claimed.attempts,
      acceptedAt: claimed.accepted_at.getTime(),
    };
  }
  // Without a lease, its holder released it between the two statements, so the caller may retry immediately.
  const [held] = await tx.query<{ until: Date }>(
    `SELECT coalesce(lease_until, $4) AS until FROM batches
      WHERE id = $1 AND generation = $2 AND state = ANY ($3)`,
    [request.batchId, request.generation, stage.from, now],
  );
  return held ? { outcome: 'held', until: held.until.getTime() } : { outcome: 'stale' };
}

/** Renews a lease. False when another worker has claimed the batch since: stop, since nothing can be committed. */
export async function renewLease(
  tx: Tx,
  lease: { batchId: string; fence: number; now: number; leaseMs: number },
): Promise<boolean> {
  const renewed = await tx.execute(
    'UPDATE batches SET lease_until = $3 WHERE id = $1 AND fence = $2 AND lease_until IS NOT NULL',
    [lease.batchId, lease.fence, new Date(lease.now + lease.leaseMs)],
  );
  return renewed === 1;
}

/** Releases a batch before its lease ends, so that the next attempt does not have to wait for the end. */
export async function releaseBatch(tx: Tx, lease: { batchId: string; fence: number }): Promise<void> {
  await tx.execute('UPDATE batches SET lease_until = NULL WHERE id = $1 AND fence = $2', [lease.batchId, lease.fence]);
}

import type { WorkKind } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { WorkEntity } from '../entities/work.entity.js';

export interface WorkClaimRequest {
  readonly kind: WorkKind;
  readonly subjectId: string;
  readonly generation: number;
  /** Epoch ms. */
  readonly now: number;
  readonly leaseMs: number;
}

/** What identifies a claim of work: the row, and a number that every claim raises. */
export interface WorkHold {
  readonly id: string;
  readonly fence: number;
}

/**
 * `claimed`: the caller holds the work until its lease ends; `attempts` counts this claim. `held`: another worker does,
 * until `until`. `stale`: nothing to do, since the job is of an older generation or the work has ended.
 */
export type WorkClaim =
  | (WorkHold & { readonly outcome: 'claimed'; readonly attempts: number })
  | { readonly outcome: 'held'; readonly until: number }
  | { readonly outcome: 'stale' };

/** Claims work of a kind about a subject (docs/reference/work.md#claims). */
export async function claimWork(tx: Tx, request: WorkClaimRequest): Promise<WorkClaim> {
  const now = new Date(request.now);
  const [claimed] = await tx.query<Pick<WorkEntity, 'id' | 'fence' | 'attempts'>>(
    `UPDATE work
        SET fence = fence + 1, claimed_until = $5, attempts = attempts + 1, deferred_reason = NULL
      WHERE subject_id = $1 AND kind = $2 AND generation = $3 AND failed_at IS NULL
        AND (claimed_until IS NULL OR claimed_until <= $4)
     RETURNING id, fence, attempts`,
    [request.subjectId, request.kind, request.generation, now, new Date(request.now + request.leaseMs)],
  );
  if (claimed) {
    return { outcome: 'claimed', id: claimed.id, fence: Number(claimed.fence), attempts: claimed.attempts };
  }
  // Without a claim, its holder released it between the two statements, so the caller may retry immediately.
  const [held] = await tx.query<{ until: Date }>(
    `SELECT coalesce(claimed_until, $4) AS until FROM work
      WHERE subject_id = $1 AND kind = $2 AND generation = $3 AND failed_at IS NULL`,
    [request.subjectId, request.kind, request.generation, now],
  );
  return held ? { outcome: 'held', until: held.until.getTime() } : { outcome: 'stale' };
}

/** Renews a claim. False when another worker has claimed the work since: stop, since nothing can be committed. */
export async function renewWork(
  tx: Tx,
  { id, fence, now, leaseMs }: WorkHold & { readonly now: number; readonly leaseMs: number },
): Promise<boolean> {
  const renewed = await tx.execute(
    'UPDATE work SET claimed_until = $3 WHERE id = $1 AND fence = $2 AND claimed_until IS NOT NULL',
    [id, fence, new Date(now + leaseMs)],
  );
  return renewed === 1;
}

/** Whether a claim holds, without a lock: it may be lost until the caller has renewed it or ended the work. */
export async function holdsWork(tx: Tx, { id, fence }: WorkHold): Promise<boolean> {
  const held = await tx.query('SELECT FROM work WHERE id = $1 AND fence = $2 AND claimed_until IS NOT NULL', [
    id,
    fence,
  ]);
  return held.length === 1;
}

/**
 * Releases a claim before its lease ends, so that the next attempt does not have to wait for the end. Work that was asked
 * for again is due, also when that was for a later time: what this run was to answer is still open.
 */
export async function releaseWork(
  tx: Tx,
  { id, fence, generation, now }: WorkHold & { readonly generation: number; readonly now: number },
): Promise<void> {
  const due = (time: string) => `CASE WHEN generation = $3 THEN ${time} ELSE least(${time}, $4) END`;
  await tx.execute(
    `UPDATE work
        SET claimed_until = NULL, available_at = ${due('available_at')}, rank_at = ${due('rank_at')}
      WHERE id = $1 AND fence = $2 AND claimed_until IS NOT NULL`,
    [id, fence, generation, new Date(now)],
  );
}

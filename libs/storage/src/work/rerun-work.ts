import { isBatchKind } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { replayBatch } from '../batches/fail-and-replay.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { WorkEntity } from '../entities/work.entity.js';
import { replayWork } from './end-work.js';
import { PostgresWorkStore } from './postgres-work-store.js';
import type { WorkAbout } from './work-standing.js';

/** The failure that is to be mended: that of this generation, and no later one. */
export interface FailedGeneration extends WorkAbout {
  readonly generation: number;
}

/**
 * Replays work that has failed in a generation (docs/reference/queues.md#generations-make-old-jobs-stale). `moved_on`:
 * it has not failed in that generation, or was replayed or asked for again since; nothing was changed.
 */
export async function retryGeneration(
  tx: Tx,
  { kind, subjectId, generation }: FailedGeneration,
  { now, ids }: { readonly now: number; readonly ids: IdGenerator },
): Promise<'replayed' | 'moved_on' | 'not_found'> {
  if (isBatchKind(kind)) {
    const [batch] = await tx.query<Pick<BatchEntity, 'generation'>>(
      'SELECT generation FROM batches WHERE id = $1 FOR UPDATE',
      [subjectId],
    );
    if (batch && batch.generation !== generation) return 'moved_on';
    return toOutcome(await replayBatch(tx, subjectId, now, ids));
  }
  const [work] = await tx.query<Pick<WorkEntity, 'id'>>('SELECT id FROM work WHERE subject_id = $1 AND kind = $2', [
    subjectId,
    kind,
  ]);
  return work ? toOutcome(await replayWork(tx, work.id, now, generation)) : 'not_found';
}

function toOutcome(outcome: Awaited<ReturnType<typeof replayBatch>>) {
  return outcome === 'not_failed' ? 'moved_on' : outcome;
}

/** A row of work in one generation. */
export interface WorkGeneration {
  readonly tenantId: string;
  readonly workId: string;
  readonly generation: number;
}

/**
 * Makes work due at once whose job waits in the queue for its next attempt: it gets another job under the next
 * generation. False when the row is gone, is not in flight, or is of a later generation; nothing was changed then.
 */
export async function releaseAnew(
  database: Database,
  { tenantId, workId, generation }: WorkGeneration,
  now: number,
): Promise<boolean> {
  const store = new PostgresWorkStore(database);
  // Neither kind nor subject is asked for: the row is found by its id.
  const row = { id: workId, tenantId, generation, kind: 'extraction', subjectId: workId, trace: null } as const;
  return (await store.returnToWaiting([row], now)) === 1;
}

/**
 * Makes work due that waits in the database for a later time. False when it is due, with the queue, or of a later
 * generation; nothing was changed then. What it waited for may still be missing: then it is deferred again.
 */
export async function bringForward(
  tx: Tx,
  { workId, generation }: Omit<WorkGeneration, 'tenantId'>,
  now: number,
): Promise<boolean> {
  const at = new Date(now);
  const [about] = await tx.query<Pick<WorkEntity, 'subject_id'>>('SELECT subject_id FROM work WHERE id = $1', [workId]);
  if (!about) return false;
  // Batches before their work, as every worker locks them.
  await tx.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [about.subject_id]);
  const moved = await tx.execute(
    `UPDATE work SET available_at = $3, rank_at = $3::timestamptz - (available_at - rank_at)
      WHERE id = $1 AND generation = $2 AND released_at IS NULL AND failed_at IS NULL AND available_at > $3
        AND (claimed_until IS NULL OR claimed_until <= $3)`,
    [workId, generation, at],
  );
  if (moved === 0) return false;
  await tx.execute(
    `UPDATE batches SET deferred_until = $2, revision = revision + 1 WHERE id = $1 AND state = 'deferred'`,
    [about.subject_id, at],
  );
  return true;
}

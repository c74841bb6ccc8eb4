import { queues, type WorkDeferralReason, type WorkKind } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { WorkEntity } from '../entities/work.entity.js';
import { lockMindSubject } from '../minds/mind-subject.js';
import type { WorkHold } from './claim-work.js';

/**
 * Ends claimed work, in the transaction of its effect. `again`: it was asked for once more during the run and waits for
 * the next one. `lost`: another worker has it now; roll the effect back.
 */
export async function endWork(
  tx: Tx,
  { id, fence, generation }: WorkHold & { readonly generation: number },
): Promise<'ended' | 'again' | 'lost'> {
  const [row] = await tx.query<Pick<WorkEntity, 'generation'>>(
    `UPDATE work SET claimed_until = NULL WHERE id = $1 AND fence = $2 AND claimed_until IS NOT NULL
     RETURNING generation`,
    [id, fence],
  );
  if (!row) return 'lost';
  if (row.generation !== generation) return 'again';
  await tx.execute('DELETE FROM work WHERE id = $1', [id]);
  return 'ended';
}

/**
 * Lets claimed work wait until a time, visibly (docs/reference/work.md#deferral). Requests made during the run are
 * answered by the next one. It does not wait longer than they ask for when it was not due itself (`not_due`): what they
 * ask for can be due. False when another worker has it now and nothing was changed.
 */
export async function deferWork(
  tx: Tx,
  {
    id,
    fence,
    generation,
    until,
    reason,
  }: WorkHold & { readonly generation: number; readonly until: number; readonly reason: WorkDeferralReason },
): Promise<boolean> {
  const due = `CASE WHEN $4 = 'not_due' AND generation <> $5 THEN least(available_at, $3) ELSE $3 END`;
  const deferred = await tx.execute(
    `UPDATE work
        SET generation = generation + 1, available_at = ${due}, rank_at = ${due}, is_scheduled = true,
            claimed_until = NULL, leased_until = NULL, released_at = NULL, checked_at = NULL, deferred_reason = $4
      WHERE id = $1 AND fence = $2 AND claimed_until IS NOT NULL`,
    [id, fence, new Date(until), reason, generation],
  );
  return deferred === 1;
}

/**
 * Marks work as failed: it stays, visible, until it is replayed or asked for again. False when it has ended or was asked
 * for again in the meantime.
 */
export async function failWork(
  tx: Tx,
  failure: {
    readonly kind: WorkKind;
    readonly subjectId: string;
    readonly generation: number;
    /** A stable code. */
    readonly code: string;
    readonly now: number;
  },
): Promise<boolean> {
  const failed = await tx.execute(
    `UPDATE work
        SET failed_at = $4, failure_code = $5, fence = fence + 1, claimed_until = NULL, leased_until = NULL,
            released_at = NULL, checked_at = NULL, deferred_reason = NULL
      WHERE subject_id = $1 AND kind = $2 AND generation = $3 AND failed_at IS NULL`,
    [failure.subjectId, failure.kind, failure.generation, new Date(failure.now), failure.code],
  );
  return failed === 1;
}

/**
 * Makes failed work due again, under the next generation: if it has failed in `generation`, when one is given. Its last
 * run goes on if it was asked for by hand.
 */
export async function replayWork(
  tx: Tx,
  id: string,
  now: number,
  generation?: number,
): Promise<'replayed' | 'not_failed' | 'not_found'> {
  const [about] = await tx.query<Pick<WorkEntity, 'kind' | 'subject_id'>>(
    'SELECT kind, subject_id FROM work WHERE id = $1',
    [id],
  );
  if (!about) return 'not_found';
  await lockRunOf(tx, about);
  const [row] = await tx.query<Pick<WorkEntity, 'failed_at' | 'generation'>>(
    'SELECT failed_at, generation FROM work WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!row) return 'not_found';
  if (row.failed_at === null || row.generation !== (generation ?? row.generation)) return 'not_failed';
  await tx.execute(
    `UPDATE work
        SET generation = generation + 1, available_at = $2, rank_at = $2, attempts = 0, failed_at = NULL,
            failure_code = NULL
      WHERE id = $1`,
    [id, new Date(now)],
  );
  const parameters = [about.subject_id, about.kind];
  // A run by hand that failed goes on: in its place a dry run would be followed by one that writes.
  await tx.execute(
    `UPDATE mind_runs SET state = 'deferred'
      WHERE trigger = 'manual' AND state = 'failed' AND id = (
        SELECT r.id FROM mind_runs r WHERE r.subject_id = $1 AND r.kind = $2 ORDER BY r.id DESC LIMIT 1)`,
    parameters,
  );
  // Who replays by hand has mended what made a mind fail.
  await tx.execute(
    'UPDATE mind_watermarks SET watermark = NULL, failures = 0 WHERE subject_id = $1 AND kind = $2',
    parameters,
  );
  return 'replayed';
}

/** Before the row of the work, as everybody: the subject, so that no erasure or run is in between, and its watermark. */
async function lockRunOf(tx: Tx, { kind, subject_id: subjectId }: Pick<WorkEntity, 'kind' | 'subject_id'>) {
  const { subject } = queues[kind];
  // A dry run is of nobody else's rows.
  if (subject === 'user' || subject === 'conversation') await lockMindSubject(tx, subject, subjectId);
  await tx.query('SELECT FROM mind_watermarks WHERE subject_id = $1 AND kind = $2 FOR UPDATE', [subjectId, kind]);
}

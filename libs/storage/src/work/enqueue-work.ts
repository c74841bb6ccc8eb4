import { isMindKind, type WorkKind } from '@annals/contracts';
import type { IdGenerator } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/** Work that is asked for: of one kind, about one subject. */
export interface WorkRequest {
  readonly kind: WorkKind;
  /** Of a user: `users.subject_id`. */
  readonly subjectId: string;
  /** Epoch ms from which it may run. */
  readonly availableAt: number;
  /** W3C traceparent of what caused it. */
  readonly trace: string | null;
}

interface EnqueueOptions {
  readonly now: number;
  readonly ids: IdGenerator;
  /** Whether an earlier request brings forward what is deferred as `not_due`: it is due by what causes the request. */
  readonly wakes?: boolean;
}

/**
 * Asks for work, in the transaction that causes it (docs/reference/work.md#requests). There is one row of a kind and
 * subject: a request during a run or between two attempts makes it run again, one after a failure revives it, an earlier
 * one brings it forward, and any other is answered by the run that waits already. Deferred work stays deferred,
 * but for work that was not due yet (`wakes`).
 *
 * Work of minds is left out where they are switched off. Returns how many rows were added or changed.
 */
export async function enqueueWork(
  tx: Tx,
  requests: readonly WorkRequest[],
  { now, ids, wakes = false }: EnqueueOptions,
): Promise<number> {
  const rows = toRows(tx, requests, ids);
  if (rows.length === 0) return 0;
  return (await tx.each(wakes ? REQUEST_AND_WAKE : REQUEST, { rows, created_at: new Date(now) })).length;
}

/**
 * Asks for work that nothing new has caused: leaves alone what waits, runs or has failed after
 * `failedUntil` (epoch ms). What failed before is revived: its cause may have gone.
 */
export async function enqueueAbsentWork(
  tx: Tx,
  requests: readonly WorkRequest[],
  { now, ids, failedUntil }: { readonly now: number; readonly ids: IdGenerator; readonly failedUntil: number },
): Promise<number> {
  const rows = toRows(tx, requests, ids);
  if (rows.length === 0) return 0;
  const sql = `WITH given AS (SELECT 0 AS w, $1::json AS rows, $2::timestamptz AS created_at), ${REQUESTED_SQL}
    ${insertWorkSql(`${RUN_AGAIN} WHERE w.failed_at <= $3`)}`;
  return tx.execute(sql, [JSON.stringify(rows), new Date(now), new Date(failedUntil)]);
}

/**
 * A row that is due earlier stays so, unless a run in work answers what it was due for. A request during that run sets
 * `attempts` to zero: then the row stands for that request.
 */
const dueTime = (time: string) => `CASE WHEN w.failed_at IS NULL AND (w.claimed_until IS NULL OR w.attempts = 0)
                  THEN least(w.${time}, excluded.${time}) ELSE excluded.${time} END`;

/**
 * Makes the row that is there due anew, under the next generation. When a run that was in work ends without its effect,
 * the row is due at once: by `releaseWork`, or by `lease_work` when its worker has died.
 */
const RUN_AGAIN = /* sql */ `DO UPDATE
        SET generation = w.generation + 1,
            available_at = ${dueTime('available_at')},
            rank_at = ${dueTime('rank_at')},
            is_scheduled = excluded.is_scheduled,
            leased_until = NULL, released_at = NULL, checked_at = NULL, attempts = 0, failed_at = NULL,
            failure_code = NULL, deferred_reason = NULL,
            trace = coalesce(excluded.trace, w.trace)`;

function toRows(tx: Tx, requests: readonly WorkRequest[], ids: IdGenerator): object[] {
  const asked = tx.asksMinds ? requests : requests.filter(({ kind }) => !isMindKind(kind));
  return asked.map(({ kind, subjectId, availableAt, trace }) => ({
    id: ids.next(),
    kind,
    subject_id: subjectId,
    available_at: new Date(availableAt),
    trace,
  }));
}

const REQUESTED_SQL = /* sql */ `requested AS (
  SELECT given.w, given.created_at, r.* FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
      AS r (id uuid, kind text, subject_id uuid, available_at timestamptz, trace text))`;

// Without a head start: background work is bulk (docs/reference/queues.md#priority-and-ageing). In order, so that two
// transactions do not wait for each other.
const insertWorkSql = (onConflict: string) => /* sql */ `
  INSERT INTO work AS w (id, kind, subject_id, generation, available_at, rank_at, is_scheduled, trace, created_at)
  SELECT r.id, r.kind, r.subject_id, 1, r.available_at, r.available_at, r.available_at > r.created_at, r.trace,
         r.created_at
    FROM requested r ORDER BY r.subject_id, r.kind
  ON CONFLICT (tenant_id, subject_id, kind) ${onConflict}`;

const defineRequest = (waits: string) => {
  const insertSql = insertWorkSql(`${RUN_AGAIN}
      -- An attempt that was the last one frees its claim before the failure is recorded under its generation.
      WHERE w.claimed_until IS NOT NULL OR w.failed_at IS NOT NULL
         OR (w.attempts > 0 AND w.deferred_reason IS NULL)
         OR (w.released_at IS NULL AND ${waits} AND w.available_at > excluded.available_at)`);
  return defineSet<{ rows: readonly object[]; created_at: Date }, object>(
    'rows json, created_at timestamptz',
    'SELECT r.w FROM asked a JOIN requested r ON r.subject_id = a.subject_id AND r.kind = a.kind',
    `${REQUESTED_SQL}, asked AS (${insertSql} RETURNING w.subject_id, w.kind)`,
  );
};

const REQUEST = defineRequest('w.deferred_reason IS NULL');
const REQUEST_AND_WAKE = defineRequest("(w.deferred_reason IS NULL OR w.deferred_reason = 'not_due')");

import type { ListWorkQuery, Work, WorkPage, WorkState } from '@annals/contracts';
import { namedOwner } from '@annals/domain';
import { buildPage, parseCursor } from '../database/cursor.js';
import type { Tx } from '../database/transaction.js';
import type { WorkEntity } from '../entities/work.entity.js';
import { Binder, columnsSql } from '../query/binder.js';

const COLUMNS = [
  'id',
  'kind',
  'subject_id',
  'available_at',
  'released_at',
  'attempts',
  'deferred_reason',
  'failed_at',
  'failure_code',
  'created_at',
] as const satisfies readonly (keyof WorkEntity)[];

type WorkRow = Pick<WorkEntity, (typeof COLUMNS)[number]> & { user_id: string | null };

const SELECT_WORK = `SELECT ${columnsSql('w', COLUMNS)}, coalesce(u.user_id, c.user_id) AS user_id FROM work w
  LEFT JOIN users u ON u.tenant_id = w.tenant_id AND u.subject_id = w.subject_id
  LEFT JOIN conversations c ON c.tenant_id = w.tenant_id AND c.id = w.subject_id`;

const STATE_SQL: Readonly<Record<WorkState, string>> = {
  waiting: 'w.released_at IS NULL AND w.failed_at IS NULL AND w.deferred_reason IS NULL',
  deferred: 'w.deferred_reason IS NOT NULL',
  in_flight: 'w.released_at IS NOT NULL AND w.deferred_reason IS NULL',
  failed: 'w.failed_at IS NOT NULL',
};

function stateOf(row: WorkRow): WorkState {
  if (row.failed_at !== null) return 'failed';
  if (row.deferred_reason !== null) return 'deferred';
  return row.released_at === null ? 'waiting' : 'in_flight';
}

function toWork(row: WorkRow): Work {
  return {
    id: row.id,
    kind: row.kind,
    subject_id: row.subject_id,
    user_id: row.user_id === null ? null : namedOwner(row.user_id),
    status: stateOf(row),
    due_at: row.available_at.toISOString(),
    attempts: row.attempts,
    deferred_reason: row.deferred_reason,
    failure_code: row.failure_code,
    failed_at: row.failed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The tenant's work of all kinds by filters, newest first. Throws InvalidCursorError. */
export async function listWork(tx: Tx, query: ListWorkQuery): Promise<WorkPage> {
  const before = parseCursor(query.cursor, ['uuid']);
  const binder = new Binder();
  binder.where((p) => `w.id < ${p}`, before?.[0]);
  binder.where((p) => `w.kind = ${p}`, query.kind);
  binder.where(
    (p) => `w.subject_id IN (SELECT s.subject_id FROM users s WHERE s.user_id = ${p}
                             UNION ALL SELECT v.id FROM conversations v WHERE v.user_id = ${p})`,
    query.user_id,
  );
  const state = query.status === undefined ? [] : [STATE_SQL[query.status]];
  const rows = await tx.query<WorkRow>(
    `${SELECT_WORK} WHERE ${binder.whereSql(...state)} ORDER BY w.id DESC LIMIT ${binder.bind(query.limit + 1)}`,
    binder.values,
  );
  return buildPage(rows, query.limit, toWork, (row) => [row.id]);
}

export async function getWork(tx: Tx, id: string): Promise<Work | null> {
  const [row] = await tx.query<WorkRow>(`${SELECT_WORK} WHERE w.id = $1`, [id]);
  return row ? toWork(row) : null;
}

import { isBatchKind, type WorkKind } from '@annals/contracts';
import type { Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { WorkEntity } from '../entities/work.entity.js';

/** Work of one kind about one subject, as a job of the queue names it. A batch is one subject of both of its stages. */
export interface WorkAbout {
  readonly kind: WorkKind;
  readonly subjectId: string;
}

/** Where work is, whether its stage keeps that in the row of the work or in that of the batch. */
export interface WorkStanding {
  /** Of a batch: the stage that it is in. */
  readonly kind: WorkKind;
  /** The row of work; null when there is none (any more). */
  readonly workId: string | null;
  readonly generation: number;
  /** `scheduled`: asked for a later time. */
  readonly state: 'waiting' | 'scheduled' | 'deferred' | 'in_flight' | 'failed' | 'done';
  /** Why it is deferred or has failed; a stable code. */
  readonly code: string | null;
  /** Epoch ms; null for work that does not wait. */
  readonly dueAt: number | null;
  readonly attempts: number;
}

const BATCH_STAGES: readonly WorkKind[] = ['extraction', 'persistence'];

/** Null when there is no such work: it is done, or its subject is gone. */
export function readWorkStanding(tx: Tx, about: WorkAbout, now: number): Promise<WorkStanding | null> {
  return isBatchKind(about.kind) ? readBatch(tx, about, now) : readRow(tx, about, now);
}

type Row = Pick<
  WorkEntity,
  | 'id'
  | 'kind'
  | 'generation'
  | 'available_at'
  | 'released_at'
  | 'attempts'
  | 'deferred_reason'
  | 'failed_at'
  | 'failure_code'
>;

async function readRow(tx: Tx, { kind, subjectId }: WorkAbout, now: number): Promise<WorkStanding | null> {
  const [row] = await tx.query<Row>(
    `SELECT id, kind, generation, available_at, released_at, attempts, deferred_reason, failed_at, failure_code
       FROM work WHERE subject_id = $1 AND kind = $2`,
    [subjectId, kind],
  );
  if (!row) return null;
  const { generation, attempts } = row;
  const common = { kind, workId: row.id, generation, attempts, dueAt: row.available_at.getTime() };
  if (row.failed_at !== null) return { ...common, state: 'failed', code: row.failure_code, dueAt: null };
  if (row.deferred_reason !== null) return { ...common, state: 'deferred', code: row.deferred_reason };
  return { ...common, state: stateOfWaiting(row.released_at, common.dueAt, now), code: null };
}

type BatchRow = Pick<
  BatchEntity,
  'state' | 'generation' | 'attempts' | 'error_code' | 'deferred_reason' | 'extracted_at'
> & { [Field in 'id' | 'kind' | 'available_at' | 'released_at']: Row[Field] | null };

async function readBatch(tx: Tx, { subjectId }: WorkAbout, now: number): Promise<WorkStanding | null> {
  const [row] = await tx.query<BatchRow>(
    `SELECT b.state, b.generation, b.attempts, b.error_code, b.deferred_reason, b.extracted_at,
            w.id, w.kind, w.available_at, w.released_at
       FROM batches b LEFT JOIN work w ON w.subject_id = b.id AND w.kind = ANY ($2) WHERE b.id = $1`,
    [subjectId, BATCH_STAGES],
  );
  if (!row) return null;
  const { generation, attempts } = row;
  const kind = row.kind ?? (row.extracted_at === null ? 'extraction' : 'persistence');
  const common = { kind, workId: row.id, generation, attempts, dueAt: row.available_at?.getTime() ?? null };
  if (row.state === 'done') return { ...common, state: 'done', code: null };
  if (row.state === 'failed') return { ...common, state: 'failed', code: row.error_code };
  if (row.state === 'deferred') return { ...common, state: 'deferred', code: row.deferred_reason };
  return { ...common, state: stateOfWaiting(row.released_at, common.dueAt, now), code: null };
}

function stateOfWaiting(releasedAt: Date | null, dueAt: number | null, now: number) {
  if (releasedAt !== null) return 'in_flight';
  return dueAt !== null && dueAt > now ? 'scheduled' : 'waiting';
}

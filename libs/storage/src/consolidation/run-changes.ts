import type { Tx } from '../database/transaction.js';
import type { MindRunChangeEntity } from '../entities/consolidation.entity.js';

/** A change as it is recorded with its run; `revisionsAfter` follows `memoryIds`, and last of the result. */
export type RecordedChange = Pick<MindRunChangeEntity, 'change' | 'state' | 'reason' | 'numbers'> & {
  readonly memoryIds: readonly string[];
  readonly revisionsBefore: readonly number[];
  readonly resultId: string | null;
  readonly revisionsAfter: readonly number[] | null;
};

/** Records changes of a run behind those that it has. One statement. */
export async function insertRunChanges(
  tx: Tx,
  { runId, userId, now }: { readonly runId: string; readonly userId: string; readonly now: number },
  changes: readonly RecordedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change, index) => ({
    n: index + 1,
    change: change.change,
    state: change.state,
    reason: change.reason,
    memory_ids: change.memoryIds,
    revisions_before: change.revisionsBefore,
    result_id: change.resultId,
    revisions_after: change.revisionsAfter,
    numbers: change.numbers,
  }));
  await tx.execute(
    `INSERT INTO mind_run_changes (run_id, ordinal, user_id, change, state, reason, memory_ids, revisions_before,
                                   result_id, revisions_after, numbers, changed_at)
     SELECT $2, (SELECT coalesce(max(c.ordinal), 0) FROM mind_run_changes c WHERE c.run_id = $2) + r.n, $3, r.change,
            r.state, r.reason, r.memory_ids, r.revisions_before, r.result_id, r.revisions_after, r.numbers, $4
       FROM json_to_recordset($1) AS r (n integer, change text, state text, reason text, memory_ids uuid[],
              revisions_before integer[], result_id uuid, revisions_after integer[], numbers jsonb)`,
    [JSON.stringify(rows), runId, userId, new Date(now)],
  );
}

const CHANGE_COLUMNS = `c.ordinal, c.change, c.state, c.reason, c.memory_ids, c.revisions_before, c.result_id,
  c.revisions_after, c.numbers, c.left_reason, c.changed_at`;

export type RunChangeRow = Omit<MindRunChangeEntity, 'tenant_id' | 'run_id' | 'user_id'>;

/** All changes of a run, in order: at most some hundreds. */
export function readRunChanges(tx: Tx, runId: string): Promise<RunChangeRow[]> {
  return tx.query<RunChangeRow>(
    `SELECT ${CHANGE_COLUMNS} FROM mind_run_changes c WHERE c.run_id = $1 ORDER BY c.ordinal`,
    [runId],
  );
}

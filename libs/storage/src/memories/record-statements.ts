import type { WritePlan } from '@annals/domain';
import { defineSet } from '../database/set-statement.js';
import type { Tx } from '../database/transaction.js';

/**
 * Records the changes of a memory for every thread that it comes from, raising each thread's revision once for the
 * transaction, in id order (docs/reference/writes.md#thread-revision). Changes of a memory without sources are recorded
 * for the thread it was written in, if any.
 */
export function insertChanges(tx: Tx, userId: string, changes: WritePlan['changes'], now: number) {
  const rows = changes.map((change, n) => ({
    n,
    memory_id: change.memoryId,
    event: change.event,
    category: change.category,
    thread_id: change.threadId,
    reach: change.reach,
    meta: change.meta,
  }));
  return tx.each(INSERT_CHANGES, { rows, user_id: userId, ts: new Date(now) });
}

const INSERT_CHANGES = defineSet<{ rows: readonly object[]; user_id: string; ts: Date }>(
  'rows json, user_id text, ts timestamptz',
  `INSERT INTO change_log (user_id, thread_id, rev, n, memory_id, event, category, meta, ts)
   SELECT c.user_id, t.thread_id, r.rev, c.n, c.memory_id, c.event, c.category, c.meta, c.ts
     FROM notified t
     JOIN change c ON c.w = t.w AND c.n = t.n
     JOIN raised r ON r.user_id = c.user_id AND r.thread_id = t.thread_id`,
  `change AS (
     -- What it replaces is read here: under row-level security a condition on change_log that casts text is no index condition.
     SELECT given.w, given.user_id, given.ts, r.n, r.memory_id, r.event, r.category, r.thread_id, r.reach, r.meta,
            (r.meta ->> 'replaces')::uuid AS replaces
       FROM given CROSS JOIN LATERAL json_to_recordset(given.rows)
         AS r (n integer, memory_id uuid, event text, category text, thread_id text, reach text, meta jsonb)
   ), notified AS (
     SELECT c.w, c.user_id, c.n, s.thread_id FROM change c, LATERAL (
       -- DISTINCT: otherwise the planner, which estimates 100 rows for a JSON array, reads all the tenant's sources.
       SELECT DISTINCT f.thread_id FROM memory_sources f
        WHERE f.memory_id = c.memory_id
          -- A row's xmin is the transaction that wrote it; this transaction inserted its sources just before.
          AND (c.reach = 'all' OR NOT EXISTS (
            SELECT FROM memory_sources k WHERE k.memory_id = f.memory_id AND k.thread_id = f.thread_id
               AND k.xmin <> pg_current_xact_id()::xid))) s
     UNION
     -- Threads with a recorded change of the memory, or of the one it replaces: also without any source.
     SELECT c.w, c.user_id, c.n, l.thread_id FROM change c, LATERAL (
       SELECT DISTINCT p.thread_id FROM change_log p
        WHERE p.memory_id IN (c.memory_id, c.replaces)) l
      WHERE c.reach = 'all'
     UNION
     SELECT c.w, c.user_id, c.n, c.thread_id FROM change c WHERE c.thread_id IS NOT NULL
   ), raised AS (
     INSERT INTO thread_revisions AS t (user_id, thread_id, rev)
     SELECT d.user_id, d.thread_id, 1 FROM (SELECT DISTINCT user_id, thread_id FROM notified) d
      ORDER BY d.user_id, d.thread_id
     ON CONFLICT (tenant_id, user_id, thread_id) DO UPDATE SET rev = t.rev + 1
     RETURNING t.user_id, t.thread_id, t.rev
   )`,
);

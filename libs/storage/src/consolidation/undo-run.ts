import {
  type CurrentMemory,
  type LeftReason,
  type MemoryChange,
  type PlannedUnlink,
  planRunUndo,
} from '@annals/domain';
import { lockExistingUser } from '../audit/user-chain.js';
import type { Tx } from '../database/transaction.js';
import { type WriteDependencies, writeMemories } from '../memories/write-memories.js';
import { markMindRunUndone } from '../minds/mind-runs.js';
import { readRunChanges, type RunChangeRow } from './run-changes.js';

/** What undoing a run did: numbers of changes, the left ones by reason. */
export interface UndoneRun {
  readonly undone: number;
  readonly left: Readonly<Partial<Record<LeftReason, number>>>;
}

/** A run that is no dry run; `userId`: whose it was. */
interface UndoRequest {
  readonly runId: string;
  readonly userId: string;
  /** For the audit history. */
  readonly actor: string;
}

/**
 * Undoes a run as a whole, parts that were written before it failed included, in the caller's transaction: parts of merges hold again instead of the merged memory,
 * relations go, importance is as before. Changes of memories that somebody changed or deleted since stay, with the
 * reason (docs/reference/consolidation.md#undoing-a-run). Null while the run is queued or in work, when it is undone
 * already, and when there is none; nothing is written then.
 */
export async function undoRun(
  tx: Tx,
  { runId, userId, actor }: UndoRequest,
  dependencies: WriteDependencies,
): Promise<UndoneRun | null> {
  const { user } = await lockExistingUser(tx, userId);
  // Behind the lock, which a run takes before it goes on.
  if (!(await markMindRunUndone(tx, runId))) return null;
  const changes = user ? await readRunChanges(tx, runId) : [];
  const written = changes.filter(({ state }) => state === 'written' || state === 'left' || state === 'undone');
  const current = await readCurrent(tx, written);
  const plan = planRunUndo(
    written.map((row) => ({ id: String(row.ordinal), kind: row.change, memories: listMemories(row) })),
    current,
    new Set(written.filter(({ state }) => state === 'undone').map(({ ordinal }) => String(ordinal))),
  );
  const byOrdinal = new Map(written.map((row) => [String(row.ordinal), row]));
  const undone = plan.undo.map((id) => byOrdinal.get(id)!);
  const unlinks = await listUnlinks(tx, undone);
  const requested = undone.flatMap(toMemoryChange);
  if (requested.length + unlinks.length > 0) {
    await writeMemories(
      tx,
      { userId, actor, node: 'worker', changes: requested, unlinks, existingUserOnly: true, isOwnWork: true },
      dependencies,
    );
  }
  await recordUndo(tx, runId, plan);
  const left = plan.left.filter(({ reason }) => reason !== 'undone');
  const counts: Partial<Record<LeftReason, number>> = {};
  for (const { reason } of left) counts[reason] = (counts[reason] ?? 0) + 1;
  return { undone: undone.length, left: counts };
}

function listMemories({ memory_ids, revisions_before, result_id, revisions_after }: RunChangeRow) {
  const ids = result_id === null ? memory_ids : [...memory_ids, result_id];
  return ids.map((memoryId, index) => {
    const revisionBefore = revisions_before[index];
    return {
      memoryId,
      revision: revisions_after![index]!,
      ...(revisionBefore === undefined ? {} : { revisionBefore }),
    };
  });
}

/** Revision that no memory has: what was said of it since is not in those that it replaced. */
const CHANGED = -1;

/** The memories of a run as they are. A merged memory that got evidence of its own since counts as changed. */
async function readCurrent(tx: Tx, changes: readonly RunChangeRow[]): Promise<ReadonlyMap<string, CurrentMemory>> {
  const ids = changes.flatMap((row) => listMemories(row).map(({ memoryId }) => memoryId));
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; revision: number; is_deleted: boolean; is_told_again: boolean }>(
    `SELECT m.id, m.revision, m.state = 'soft_deleted' AS is_deleted,
            EXISTS (SELECT FROM unnest($2::uuid[]) AS r (id)
                      JOIN memory_sources s ON s.memory_id = r.id
                     WHERE r.id = m.id AND NOT EXISTS (
                       SELECT FROM memories p JOIN memory_sources o ON o.memory_id = p.id
                        WHERE p.superseded_by = m.id AND p.user_id = m.user_id AND o.message_id = s.message_id))
              AS is_told_again
       FROM memories m WHERE m.id = ANY ($1)`,
    [ids, changes.flatMap(({ result_id }) => result_id ?? [])],
  );
  return new Map(
    rows.map((row) => [row.id, { revision: row.is_told_again ? CHANGED : row.revision, isDeleted: row.is_deleted }]),
  );
}

function toMemoryChange({ change, memory_ids, result_id, numbers }: RunChangeRow): MemoryChange[] {
  if (change === 'merge') return [{ kind: 'split', memoryId: result_id! }];
  if (change === 'link') return [];
  return [{ kind: 'edit', memoryId: memory_ids[0]!, patch: { importance: numbers['from']! }, reason: 'rerank' }];
}

/** The relations that a run made: its own, and all of a merged memory. */
async function listUnlinks(tx: Tx, undone: readonly RunChangeRow[]): Promise<PlannedUnlink[]> {
  const made = undone.flatMap(({ result_id }) => result_id ?? []);
  const own = undone.flatMap(({ change, memory_ids: [from, to] }) =>
    change === 'link' ? [{ fromMemoryId: from!, toMemoryId: to! }] : [],
  );
  if (made.length === 0) return own;
  const rows = await tx.query<{ from_id: string; to_id: string }>(
    `SELECT from_id, to_id FROM relations WHERE from_id = ANY ($1)
      UNION SELECT from_id, to_id FROM relations WHERE to_id = ANY ($1)`,
    [made],
  );
  return [...own, ...rows.map(({ from_id, to_id }) => ({ fromMemoryId: from_id, toMemoryId: to_id }))];
}

async function recordUndo(tx: Tx, runId: string, { undo, left }: ReturnType<typeof planRunUndo>): Promise<void> {
  const rows = [
    ...undo.map((id) => ({ ordinal: Number(id), state: 'undone', left_reason: null })),
    ...left.flatMap(({ id, reason }) =>
      reason === 'undone' ? [] : [{ ordinal: Number(id), state: 'left', left_reason: reason }],
    ),
  ];
  await tx.execute(
    `UPDATE mind_run_changes c SET state = r.state, left_reason = r.left_reason
       FROM json_to_recordset($2) AS r (ordinal integer, state text, left_reason text)
      WHERE c.run_id = $1 AND c.ordinal = r.ordinal`,
    [runId, JSON.stringify(rows)],
  );
}

/**
 * Pairs that an undo separated: a run does not merge them again, also when the record of the undone one is gone. Keys are
 * both ids in order, `a b`.
 */
export async function readUndonePairs(tx: Tx, userId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ memory_ids: string[] }>(
    `SELECT memory_ids FROM mind_run_changes WHERE user_id = $1 AND change = 'merge' AND state = 'undone'
      UNION ALL
     SELECT ARRAY[m.id, o.id] FROM memories m, unnest(m.kept_apart) AS o (id)
      WHERE m.user_id = $1 AND m.kept_apart IS NOT NULL`,
    [userId],
  );
  return new Set(rows.map(({ memory_ids }) => memory_ids.toSorted().join(' ')));
}

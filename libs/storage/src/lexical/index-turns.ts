import { ANALYZER_VERSION, analyzeTurns, type UnitTerms } from '@annals/domain';
import { allOf, type Tx } from '../database/transaction.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { insertPostings, insertUnits } from './posting-statements.js';
import { loadBatchTurns, type BatchTurn } from './load-batch-turns.js';

/**
 * Adds a sealed batch's turns to the index, once: `indexed`, or `already` when that was done before, or `skipped` when
 * there is no such batch, it is still open, or its user was erased. Locks the user's row, then the batch's. Words of
 * neighbouring turns are exchanged with those that are already in the index, before and after the batch: in whatever
 * order the batches of a conversation are indexed, each pair of neighbours is processed once. Two round trips.
 */
export async function indexTurns(
  tx: Tx,
  { batchId, now }: { readonly batchId: string; readonly now: number },
): Promise<'indexed' | 'already' | 'skipped'> {
  const [user, batch, run] = await allOf([lockUser(tx, batchId), lockBatch(tx, batchId), loadBatchTurns(tx, batchId)]);
  if (!user || !batch || batch.sealed_at === null) return 'skipped';
  if (batch.indexed_at !== null) return 'already';
  const isErased = user.erased_at !== null && batch.accepted_at <= user.erased_at;
  tx.atCommit(
    tx.execute('UPDATE batches SET indexed_at = $2 WHERE id = $1', [batchId, new Date(now)]),
    ...(isErased ? [] : writeTurnUnits(tx, user, run)),
  );
  return isErased ? 'skipped' : 'indexed';
}

type LockedUser = Pick<UserEntity, 'user_id' | 'next_unit' | 'erased_at'>;

async function lockUser(tx: Tx, batchId: string): Promise<LockedUser | undefined> {
  const [user] = await tx.query<LockedUser>(
    `SELECT user_id, next_unit, erased_at FROM users
      WHERE user_id = (SELECT user_id FROM batches WHERE id = $1) FOR NO KEY UPDATE`,
    [batchId],
  );
  return user;
}

type LockedBatch = Pick<BatchEntity, 'accepted_at' | 'sealed_at' | 'indexed_at'>;

async function lockBatch(tx: Tx, batchId: string): Promise<LockedBatch | undefined> {
  const [batch] = await tx.query<LockedBatch>(
    'SELECT accepted_at, sealed_at, indexed_at FROM batches WHERE id = $1 FOR NO KEY UPDATE',
    [batchId],
  );
  return batch;
}

function writeTurnUnits(tx: Tx, user: LockedUser, run: readonly BatchTurn[]): Promise<number>[] {
  const analyses = analyzeTurns(run);
  let nextUnit = user.next_unit;
  const units = run.flatMap((turn) => {
    const analysis = analyses.get(turn.id) ?? NO_TERMS;
    if (turn.isNew) return [{ ...analysis, id: turn.id, kind: 'turn' as const, unit: nextUnit++, isNew: true }];
    // A neighbour that is not in the index yet gets its words when it is indexed.
    return turn.unit === null
      ? []
      : [{ ...analysis, id: turn.id, kind: 'turn' as const, unit: turn.unit, isNew: false }];
  });
  const added = units.filter(({ isNew }) => isNew);
  if (added.length === 0) return [];
  return [
    insertUnits(tx, user.user_id, added),
    insertPostings(tx, user.user_id, user.next_unit, units),
    tx.execute(
      `UPDATE users SET next_unit = $2, turn_count = turn_count + $3, turn_length = turn_length + $4,
                        analyzer = coalesce(analyzer, $5)
        WHERE user_id = $1`,
      [user.user_id, nextUnit, added.length, added.reduce((sum, { length }) => sum + length, 0), ANALYZER_VERSION],
    ),
  ];
}

const NO_TERMS: UnitTerms = { terms: new Map(), length: 0, unitLength: 0 };

import { ANALYZER_VERSION, pauseInTransaction, runInSlices } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { UserEntity } from '../entities/user.entity.js';
import { analyzeStoredTurns, BELONGS_INTO_INDEX_SQL, loadIndexedTurns } from './index-stored-turns.js';
import { insertUnitsWithPostings } from './posting-statements.js';
import { removeUnits } from './remove-units.js';

/** Turns that are read and written together: bounded memory. */
const PAGE = 500;

/**
 * Indexes the turns of conversations anew, after some of them came back or lost words: all of them, since neighbours
 * exchange words. In one transaction, which is as long as the conversations that the caller changes. A batch that no worker has indexed yet
 * stays what it is: whoever indexes it asks for the work that follows from its turns. The rest of the user's index stays as
 * it is, but its echoes are due (`findEchoesDue`). The caller holds the lock of the user's row.
 */
export async function reindexConversations(
  tx: Tx,
  { userId, conversationIds }: { readonly userId: string; readonly conversationIds: readonly string[] },
): Promise<void> {
  if (conversationIds.length === 0) return;
  const turns = await tx.query<{ id: string; is_indexed: boolean; belongs: boolean }>(
    `SELECT m.id, u.unit IS NOT NULL AS is_indexed, ${BELONGS_INTO_INDEX_SQL} AS belongs
       FROM messages m
       JOIN batches b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
       LEFT JOIN lexical_units u ON u.message_id = m.id
      WHERE m.conversation_id = ANY ($1) ORDER BY m.conversation_id, m.seq`,
    [conversationIds],
  );
  await removeUnits(tx, { userId, messageIds: turns.filter((turn) => turn.is_indexed).map(({ id }) => id) });
  const [user] = await tx.query<Pick<UserEntity, 'next_unit'>>('SELECT next_unit FROM users WHERE user_id = $1', [
    userId,
  ]);
  const ids = turns.filter(({ belongs }) => belongs).map(({ id }) => id);
  let [nextUnit, length] = [user!.next_unit, 0];
  for (let start = 0; start < ids.length; start += PAGE) {
    const run = await loadIndexedTurns(tx, userId, ids.slice(start, start + PAGE));
    const analyzed = await runInSlices(analyzeStoredTurns(run), pauseInTransaction);
    const first = nextUnit;
    const units = analyzed.map((turn, index) => ({ ...turn, kind: 'turn' as const, unit: first + index }));
    await insertUnitsWithPostings(tx, userId, first, units);
    nextUnit += units.length;
    length += units.reduce((sum, unit) => sum + unit.length, 0);
  }
  tx.atCommit(
    tx.execute(
      `UPDATE users SET next_unit = $2, turn_count = turn_count + $3, turn_length = turn_length + $4,
                        analyzer = least(analyzer, $5), echoes_after = NULL
        WHERE user_id = $1`,
      [userId, nextUnit, ids.length, length, ANALYZER_VERSION],
    ),
  );
}

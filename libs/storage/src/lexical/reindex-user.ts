import {
  analyzeMemory,
  ANALYZER_VERSION,
  analyzeTurns,
  extractSlot,
  type IndexedTurn,
  isOtherParticipant,
  pauseInTransaction,
  runInSlices,
  type Sliced,
  type UnitTerms,
} from '@annals/domain';
import type { Database } from '../database/database.js';
import { allOf, type Tx } from '../database/transaction.js';
import { NIL_UUID } from '../database/cursor.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { IS_CURRENT_SQL } from '../memories/is-current.js';
import { NEIGHBOUR_TURNS } from './index-turns.js';
import { insertPostings, insertUnits, type NewUnit, preparePostings, type UnitPostings } from './posting-statements.js';
import { removeUnits } from './remove-units.js';

/** A user or batch that is missing in the lexical index. */
export interface UnindexedUser {
  readonly tenantId: string;
  readonly userId: string;
  /**
   * A sealed batch that no worker has indexed: `indexTurns`. Null: the user's whole index is outdated,
   * `reindexOutdatedUser`.
   */
  readonly batchId: string | null;
}

/** Batches sealed less than this time ago, in ms, are left to the worker that is about to claim them. */
const WORKER_GRACE_MS = 60_000;

/** Up to `limit` gaps in the index, of all tenants: ids only. Users whose whole index is outdated come first. */
export async function findUnindexed(
  database: Database,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<UnindexedUser[]> {
  const rows = await database.callAcrossTenants<
    Pick<UserEntity, 'tenant_id' | 'user_id'> & { batch_id: string | null }
  >('find_unindexed', [ANALYZER_VERSION, new Date(now - WORKER_GRACE_MS), limit]);
  return rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, batchId: row.batch_id }));
}

/** Units whose postings are written together: few segments to read for a query, and bounded memory. */
const PAGE = 2_000;

/**
 * Rebuilds the index of a user who has none, or one of an earlier analyser; false when somebody else has done so while
 * this call waited for the user's lock.
 */
export async function reindexOutdatedUser(
  tx: Tx,
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<boolean> {
  const [user] = await tx.query<Pick<UserEntity, 'analyzer'>>(
    'SELECT analyzer FROM users WHERE user_id = $1 FOR NO KEY UPDATE',
    [userId],
  );
  if (!user || user.analyzer === null || user.analyzer >= ANALYZER_VERSION) return false;
  await reindexUser(tx, { userId, now });
  return true;
}

/**
 * Rebuilds a user's index from memories and messages, under the user's lock: after a change of the analyser, for data
 * stored before there was an index, and to merge many small segments. Its echoes are due then (`findEchoesDue`). Returns how
 * many units it has.
 */
export async function reindexUser(
  tx: Tx,
  { userId, now }: { readonly userId: string; readonly now: number },
): Promise<{ units: number }> {
  tx.allowBulk();
  await allOf([
    tx.query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId]),
    markBatchesIndexed(tx, { userId }, now),
    tx.execute('DELETE FROM lexical_postings WHERE user_id = $1', [userId]),
    tx.execute('DELETE FROM lexical_units WHERE user_id = $1', [userId]),
  ]);
  const memories = await indexAllMemories(tx, userId);
  const turns = await indexAllTurns(tx, { userId }, memories.nextUnit);
  tx.atCommit(
    tx.execute(
      `UPDATE users SET next_unit = $2, memory_count = $3, term_total = $4, turn_count = $5, turn_length = $6,
                        analyzer = $7, echoes_after = NULL
        WHERE user_id = $1`,
      [userId, turns.nextUnit, memories.count, memories.length, turns.count, turns.length, ANALYZER_VERSION],
    ),
  );
  return { units: turns.nextUnit };
}

/**
 * Indexes the turns of one conversation anew, after some of them came back: all of them, since neighbours exchange words.
 * The rest of the user's index stays as it is, but its echoes are due (`findEchoesDue`). The caller holds the lock of the
 * user's row.
 */
export async function reindexConversation(
  tx: Tx,
  { userId, conversationId, now }: { readonly userId: string; readonly conversationId: string; readonly now: number },
): Promise<void> {
  const [indexed] = await allOf([
    tx.query<{ id: string }>(
      `SELECT g.id FROM messages g JOIN lexical_units u ON u.message_id = g.id WHERE g.conversation_id = $1`,
      [conversationId],
    ),
    markBatchesIndexed(tx, { userId, conversationId }, now),
  ]);
  await removeUnits(tx, { userId, messageIds: indexed.map(({ id }) => id) });
  const [user] = await tx.query<Pick<UserEntity, 'next_unit'>>('SELECT next_unit FROM users WHERE user_id = $1', [
    userId,
  ]);
  const turns = await indexAllTurns(tx, { userId, conversationId }, user!.next_unit);
  tx.atCommit(
    tx.execute(
      `UPDATE users SET next_unit = $2, turn_count = turn_count + $3, turn_length = turn_length + $4,
                        analyzer = least(analyzer, $5), echoes_after = NULL
        WHERE user_id = $1`,
      [userId, turns.nextUnit, turns.count, turns.length, ANALYZER_VERSION],
    ),
  );
}

/** Whose turns: all of the user's, or those of one conversation. */
interface TurnScope {
  readonly userId: string;
  readonly conversationId?: string;
}

/** Sealed batches get no further messages. An open batch is left to its worker. */
function markBatchesIndexed(tx: Tx, { userId, conversationId }: TurnScope, now: number): Promise<number> {
  return tx.execute(
    `UPDATE batches b SET indexed_at = $2
       FROM (SELECT id FROM batches
              WHERE user_id = $1 AND indexed_at IS NULL AND sealed_at IS NOT NULL
                ${conversationId === undefined ? '' : 'AND conversation_id = $3'}
              ORDER BY id FOR NO KEY UPDATE) open
      WHERE b.id = open.id`,
    [userId, new Date(now), ...(conversationId === undefined ? [] : [conversationId])],
  );
}

interface IndexTotals {
  readonly nextUnit: number;
  /** Number of units that count in the collection's statistics. */
  readonly count: number;
  /** Number of terms. */
  readonly length: number;
}

type MemoryRow = Pick<MemoryEntity, 'id' | 'content' | 'category' | 'type' | 'valid_from' | 'deleted_by'> & {
  is_current: boolean;
};

/**
 * Memories that are or were served or can be restored. Quarantined memories were never in the index; those that an undo
 * deleted left it, and have only their derived columns computed anew.
 */
async function indexAllMemories(tx: Tx, userId: string): Promise<IndexTotals> {
  let [nextUnit, count, length] = [0, 0, 0];
  let after = NIL_UUID;
  for (;;) {
    const rows = await tx.query<MemoryRow>(
      `SELECT m.id, m.content, m.category, m.type, m.valid_from, m.deleted_by, ${IS_CURRENT_SQL} AS is_current
         FROM memories m
        WHERE m.user_id = $1 AND m.id > $2 AND m.state <> 'quarantined' AND m.quarantine_reason IS NULL
        ORDER BY m.id LIMIT ${PAGE}`,
      [userId, after],
    );
    if (rows.length === 0) return { nextUnit, count, length };
    const analyses = rows.map((row) => ({
      ...analyzeMemory({ ...row, validFrom: row.valid_from.getTime(), speaker: null }),
      kind: 'memory' as const,
      id: row.id,
      isCurrent: row.is_current,
      isUndone: row.deleted_by === 'undo',
      slot: extractSlot(row)?.key ?? null,
    }));
    const first = nextUnit;
    const units = analyses
      .filter(({ isUndone }) => !isUndone)
      .map((analysis, index) => ({ ...analysis, unit: first + index }));
    const current = units.filter(({ isCurrent }) => isCurrent);
    await allOf([write(tx, userId, first, units, units), updateDerivedColumns(tx, analyses)]);
    nextUnit += units.length;
    count += current.length;
    length += current.reduce((sum, unit) => sum + unit.length, 0);
    after = rows.at(-1)!.id;
  }
}

/** The columns derived from the content: number of terms, and slot, which identifies the attribute it is about. */
function updateDerivedColumns(
  tx: Tx,
  units: readonly (Pick<NewUnit, 'id' | 'length'> & { readonly slot: string | null })[],
): Promise<number> {
  return tx.execute(
    `UPDATE memories m SET term_count = r.length, slot = r.slot
       FROM json_to_recordset($1) AS r (id uuid, length integer, slot text)
      WHERE m.id = r.id AND m.id = ANY ($2) AND (m.term_count <> r.length OR m.slot IS DISTINCT FROM r.slot)`,
    [JSON.stringify(units.map(({ id, length, slot }) => ({ id, length, slot }))), units.map(({ id }) => id)],
  );
}

async function indexAllTurns(tx: Tx, scope: TurnScope, firstUnit: number): Promise<IndexTotals> {
  let [nextUnit, count, length] = [firstUnit, 0, 0];
  let earlier: NumberedTurn[] = [];
  for await (const page of loadIndexedTurns(tx, scope, PAGE)) {
    const first = nextUnit;
    const added = page.map((turn, index) => ({ ...turn, unit: first + index, isNew: true }));
    const run = [...earlier, ...added];
    const postings = await runInSlices(analyzeByConversation(run), pauseInTransaction);
    const lengths = new Map(postings.map((posting) => [posting.unit, posting.length]));
    const units = added.map(({ id, unit }) => ({ unit, kind: 'turn' as const, id, length: lengths.get(unit) ?? 0 }));
    await write(tx, scope.userId, first, units, postings);
    nextUnit += units.length;
    count += units.length;
    length += units.reduce((sum, unit) => sum + unit.length, 0);
    // The page may have ended within a conversation.
    earlier = run.slice(-NEIGHBOUR_TURNS).map((turn) => ({ ...turn, isNew: false }));
  }
  return { nextUnit, count, length };
}

interface NumberedTurn extends StoredTurn {
  readonly unit: number;
  readonly isNew: boolean;
}

function* analyzeByConversation(run: readonly NumberedTurn[]): Sliced<(UnitPostings & UnitTerms)[]> {
  const postings: (UnitPostings & UnitTerms)[] = [];
  for (const turns of Map.groupBy(run, ({ conversationId }) => conversationId).values()) {
    const analyses = yield* analyzeTurns(turns);
    for (const { id, unit } of turns) {
      const analysis = analyses.get(id);
      if (analysis) postings.push({ ...analysis, kind: 'turn' as const, unit });
    }
  }
  return postings;
}

async function write(
  tx: Tx,
  userId: string,
  segment: number,
  units: readonly NewUnit[],
  postings: readonly UnitPostings[],
): Promise<void> {
  const pages = await runInSlices(preparePostings(segment, postings), pauseInTransaction);
  await allOf([insertUnits(tx, userId, units), ...insertPostings(tx, userId, pages)]);
}

/** A stored turn to be indexed. */
type StoredTurn = Omit<IndexedTurn, 'isNew'> & { readonly conversationId: string };

type TurnRow = Pick<MessageEntity, 'id' | 'conversation_id' | 'seq' | 'actor_id' | 'content' | 'said_at'> & {
  role: 'user' | 'assistant';
};

/** All turns of the batches that are marked as indexed, by conversation, in order. */
async function* loadIndexedTurns(
  tx: Tx,
  { userId, conversationId }: TurnScope,
  pageSize: number,
): AsyncGenerator<StoredTurn[]> {
  let after: readonly [string, number] = [NIL_UUID, 0];
  for (;;) {
    const rows = await tx.query<TurnRow>(
      `SELECT m.id, m.conversation_id, m.seq, m.role, m.actor_id, m.content, m.said_at
         FROM conversations c
         JOIN messages m ON m.tenant_id = c.tenant_id AND m.conversation_id = c.id
         JOIN batches b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
        WHERE c.user_id = $1 AND c.id >= $2 ${conversationId === undefined ? '' : 'AND c.id = $4'}
          AND (m.conversation_id, m.seq) > ($2, $3)
          AND m.role IN ('user', 'assistant') AND b.indexed_at IS NOT NULL AND m.evicted_at IS NULL
        ORDER BY m.conversation_id, m.seq LIMIT ${Math.trunc(pageSize)}`,
      [userId, ...after, ...(conversationId === undefined ? [] : [conversationId])],
    );
    if (rows.length > 0) yield rows.map((row) => toTurn(row, userId));
    if (rows.length < pageSize) return;
    const last = rows.at(-1)!;
    after = [last.conversation_id, last.seq];
  }
}

function toTurn(row: TurnRow, userId: string): StoredTurn {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    role: row.role,
    speaker: row.actor_id,
    isOther: isOtherParticipant(userId, { role: row.role, actorId: row.actor_id }),
    content: row.content,
    saidAt: row.said_at.getTime(),
  };
}

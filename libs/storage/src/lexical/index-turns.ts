import {
  analyzeTurns,
  ECHOES_VERSION,
  type IdGenerator,
  type IndexedTurn,
  isOtherParticipant,
  pauseInTransaction,
  runInSlices,
  type Sliced,
  type UnitTerms,
} from '@annals/domain';
import { defineRead, defineSet } from '../database/set-statement.js';
import { allOf, type Nullable, type Tx } from '../database/transaction.js';
import { findEchoesInTurns } from '../echoes/find-echoes.js';
import { loadOverMemories, noteEchoes } from '../echoes/note-echoes.js';
import type { BatchEntity } from '../entities/batch.entity.js';
import type { LexicalUnitEntity } from '../entities/lexical-index.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { enqueueWork } from '../work/enqueue-work.js';
import { withdrawAppMemoriesOfEchoes } from '../app-memories/withdraw-app-memories.js';
import { dropSentencesOfEchoes } from '../summaries/drop-hidden-sentences.js';
import { insertPostings, insertUnits, type NewUnit, preparePostings } from './posting-statements.js';
import { readReindexedBelow, type ReindexingColumns } from './reindexing-user.js';

/**
 * Adds a sealed batch's turns to the index, once: `indexed`, or `already` when that was done before, or `skipped` when
 * there is no such batch, it is still open, or its user was erased. Locks the user's row, then the batch's. Words of
 * neighbouring turns are exchanged with those that are already in the index, before and after the batch: in whatever
 * order the batches of a conversation are indexed, each pair of neighbours is processed once. Likewise a turn is
 * compared with the memories that were over before it was indexed, and what ends later finds it in the index. Three round
 * trips.
 */
export async function indexTurns(
  tx: Tx,
  { batchId, now, ids }: { readonly batchId: string; readonly now: number; readonly ids: IdGenerator },
): Promise<'indexed' | 'already' | 'skipped'> {
  const [user, batch, run] = await allOf([lockUser(tx, batchId), lockBatch(tx, batchId), loadBatchTurns(tx, batchId)]);
  if (!user || !batch || batch.sealed_at === null) return 'skipped';
  if (batch.indexed_at !== null) return 'already';
  const isErased = user.erased_at !== null && batch.accepted_at <= user.erased_at;
  const analysis = isErased ? null : await runInSlices(analyzeRun(user, run), pauseInTransaction);
  const echoes = isErased ? [] : await findEchoes(tx, user.user_id, run);
  tx.atCommit(
    tx.each(MARK_INDEXED, { batch_id: batchId, indexed_at: new Date(now) }),
    ...(analysis === null ? [] : writeTurnUnits(tx, user, analysis)),
    ...(echoes.length === 0 ? [] : [noteEchoes(tx, echoes), dropSentencesOfEchoes(tx, echoes)]),
  );
  if (echoes.length > 0) await withdrawAppMemoriesOfEchoes(tx, echoes, { now, ids, trace: null });
  // Behind the memories, as everybody locks work.
  tx.atCommit(wakeAppMemory(tx, batchId, now));
  // A batch that was written before asked for insights that could not read its turns.
  if (batch.state === 'done' && !isErased && user.subject_id !== null) {
    const request = { kind: 'insights', subjectId: user.subject_id, availableAt: now, trace: null } as const;
    tx.atCommit(enqueueWork(tx, [request], { now, ids }));
  }
  return isErased ? 'skipped' : 'indexed';
}

const MARK_INDEXED = defineSet<{ batch_id: string; indexed_at: Date }>(
  'batch_id uuid, indexed_at timestamptz',
  'UPDATE batches b SET indexed_at = given.indexed_at FROM given WHERE b.id = given.batch_id',
);

/** The app memory of a conversation waits until its batches are indexed. */
function wakeAppMemory(tx: Tx, batchId: string, now: number): Promise<unknown> {
  return tx.each(WAKE_APP_MEMORY, { batch_id: batchId, due_at: new Date(now) });
}

const WAKE_APP_MEMORY = defineSet<{ batch_id: string; due_at: Date }>(
  'batch_id uuid, due_at timestamptz',
  `UPDATE work w SET available_at = given.due_at, rank_at = given.due_at, deferred_reason = NULL
     FROM given JOIN batches b ON b.id = given.batch_id
    WHERE w.subject_id = b.conversation_id AND w.kind = 'app_memory'
      AND w.deferred_reason = 'not_due' AND w.released_at IS NULL`,
);

type LockedUser = ReindexingColumns & Pick<UserEntity, 'user_id' | 'subject_id' | 'next_unit' | 'erased_at'>;

async function lockUser(tx: Tx, batchId: string): Promise<LockedUser | undefined> {
  const [user] = await tx.each(LOCK_USER, { batch_id: batchId });
  return user;
}

const LOCK_USER = defineRead<{ batch_id: string }, LockedUser>(
  'batch_id uuid',
  `SELECT u.user_id, u.subject_id, u.next_unit, u.analyzer, u.reindex_below,
          greatest(u.erased_at, (SELECT e.erased_at FROM users e WHERE e.user_id = u.pseudonym)) AS erased_at
     FROM users u WHERE u.user_id = (SELECT b.user_id FROM batches b WHERE b.id = given.batch_id)
      FOR NO KEY UPDATE`,
);

type LockedBatch = Pick<BatchEntity, 'accepted_at' | 'sealed_at' | 'indexed_at' | 'state'>;

async function lockBatch(tx: Tx, batchId: string): Promise<LockedBatch | undefined> {
  const [batch] = await tx.each(LOCK_BATCH, { batch_id: batchId });
  return batch;
}

const LOCK_BATCH = defineRead<{ batch_id: string }, LockedBatch>(
  'batch_id uuid',
  `SELECT b.accepted_at, b.sealed_at, b.indexed_at, b.state FROM batches b WHERE b.id = given.batch_id
      FOR NO KEY UPDATE`,
);

async function findEchoes(tx: Tx, userId: string, run: readonly BatchTurn[]) {
  const memories = await loadOverMemories(tx, userId);
  const turns = run.filter(({ isNew }) => isNew).map((turn) => ({ ...turn, actor_id: turn.speaker }));
  return findEchoesInTurns(userId, turns, memories);
}

interface RunAnalysis {
  readonly added: readonly NewUnit[];
  readonly nextUnit: number;
  /** See `preparePostings`. */
  readonly postings: readonly string[];
}

function* analyzeRun(user: LockedUser, run: readonly BatchTurn[]): Sliced<RunAnalysis> {
  const analyses = yield* analyzeTurns(run);
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
  if (added.length === 0) return { added, nextUnit, postings: [] };
  const below = readReindexedBelow(user) ?? 0;
  const postings = yield* preparePostings(
    user.next_unit,
    units.filter(({ unit }) => unit >= below),
  );
  // What a neighbour gets under a number that it will lose goes with that number: into a segment that no other one has.
  const former = yield* preparePostings(
    -1 - user.next_unit,
    units.filter(({ unit }) => unit < below),
  );
  return { added, nextUnit, postings: [...postings, ...former] };
}

function writeTurnUnits(tx: Tx, user: LockedUser, { added, nextUnit, postings }: RunAnalysis): Promise<unknown>[] {
  if (added.length === 0) return [];
  return [
    insertUnits(tx, user.user_id, added),
    ...insertPostings(tx, user.user_id, postings),
    tx.each(COUNT_TURNS, {
      user_id: user.user_id,
      next_unit: nextUnit,
      turns: added.length,
      length: added.reduce((sum, { length }) => sum + length, 0),
      analyzer: ECHOES_VERSION,
    }),
  ];
}

interface CountTurnsGiven {
  readonly user_id: string;
  readonly next_unit: number;
  readonly turns: number;
  readonly length: number;
  readonly analyzer: number;
}

const COUNT_TURNS = defineSet<CountTurnsGiven>(
  'user_id text, next_unit integer, turns integer, length integer, analyzer integer',
  `UPDATE users u
      SET next_unit = given.next_unit, turn_count = u.turn_count + given.turns,
          turn_length = u.turn_length + given.length, analyzer = least(u.analyzer, given.analyzer)
     FROM given WHERE u.user_id = given.user_id`,
);

const NO_TERMS: UnitTerms = { terms: new Map(), length: 0, unitLength: 0 };

/** Turns on either side whose words match, too (docs/reference/recall.md#neighbouring-turns-as-index-text). */
export const NEIGHBOUR_TURNS = 2;

/** A turn to be indexed, or a neighbour of one. */
interface BatchTurn extends IndexedTurn {
  /** Its unit number, when it is in the index. */
  readonly unit: number | null;
}

type BatchTurnRow = Pick<MessageEntity, 'id' | 'actor_id' | 'content' | 'said_at'> &
  Nullable<Pick<LexicalUnitEntity, 'unit'>> & { role: 'user' | 'assistant'; is_new: boolean; user_id: string };

/** A batch's turns in order, with their neighbours in the conversation before and after them. */
async function loadBatchTurns(tx: Tx, batchId: string): Promise<BatchTurn[]> {
  const rows = await tx.each(RUN_OF_BATCH, { batch_id: batchId });
  return rows.map(toBatchTurn);
}

const RUN_OF_BATCH = defineRead<{ batch_id: string }, BatchTurnRow>(
  'batch_id uuid',
  `WITH edge AS MATERIALIZED (
       SELECT b.tenant_id, b.conversation_id, b.user_id, min(m.seq) AS first, max(m.seq) AS last
         FROM batches b JOIN messages m ON m.tenant_id = b.tenant_id AND m.batch_id = b.id
        WHERE b.id = given.batch_id GROUP BY b.tenant_id, b.conversation_id, b.user_id
     ), run AS (
       SELECT m.* FROM edge e JOIN messages m ON m.tenant_id = e.tenant_id AND m.batch_id = given.batch_id
        WHERE m.role IN ('user', 'assistant')
       UNION ALL
       SELECT before.* FROM edge e, LATERAL (
         SELECT m.* FROM messages m
          WHERE m.tenant_id = e.tenant_id AND m.conversation_id = e.conversation_id AND m.seq < e.first
            AND m.role IN ('user', 'assistant')
          ORDER BY m.seq DESC LIMIT ${NEIGHBOUR_TURNS}) before
       UNION ALL
       SELECT behind.* FROM edge e, LATERAL (
         SELECT m.* FROM messages m
          WHERE m.tenant_id = e.tenant_id AND m.conversation_id = e.conversation_id AND m.seq > e.last
            AND m.role IN ('user', 'assistant')
          ORDER BY m.seq LIMIT ${NEIGHBOUR_TURNS}) behind
     )
     SELECT r.id, r.role, r.actor_id, r.content, r.said_at, r.batch_id = given.batch_id AS is_new, u.unit,
            (SELECT e.user_id FROM edge e) AS user_id
       FROM run r LEFT JOIN lexical_units u ON u.message_id = r.id
      ORDER BY r.seq`,
);

function toBatchTurn(row: BatchTurnRow): BatchTurn {
  return {
    id: row.id,
    role: row.role,
    speaker: row.actor_id,
    isOther: isOtherParticipant(row.user_id, { role: row.role, actorId: row.actor_id }),
    // The words of a neighbour that is not in the index yet are exchanged when it is indexed; here it only keeps its
    // position.
    content: row.is_new || row.unit !== null ? row.content : '',
    saidAt: row.said_at.getTime(),
    isNew: row.is_new,
    unit: row.unit,
  };
}

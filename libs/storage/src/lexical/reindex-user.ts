import { ANALYZER_VERSION, pauseInTransaction, REINDEXING_VERSION, runInSlices } from '@annals/domain';
import { NIL_UUID } from '../database/cursor.js';
import { allOf, type Tx } from '../database/transaction.js';
import type { LexicalUnitEntity } from '../entities/lexical-index.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import {
  type AnalyzedMemory,
  analyzeMemories,
  loadIndexedMemories,
  loadUnindexedMemories,
  updateDerivedColumns,
} from './index-stored-memories.js';
import { analyzeStoredTurns, loadIndexedTurns } from './index-stored-turns.js';
import { insertUnitsWithPostings, type NewUnit, type UnitPostings } from './posting-statements.js';
import { NO_ANALYZER, readReindexedBelow, type ReindexingColumns } from './reindexing-user.js';
import { type SweepPosition, sweepPostings } from './sweep-postings.js';

/** Units, or memories outside of the index, of one step: other writes of the user wait for one step only. */
const PAGE = 300;

/** Former segments that one step removes. */
const SWEEP_PAGE = 2_000;

export interface ReindexStep {
  readonly userId: string;
  /** What the step before returned in this process. */
  readonly swept?: SweepPosition | null;
  /** How much a step does; default: as much as is quickly done. */
  readonly page?: number;
  readonly sweepPage?: number;
}

export interface ReindexProgress {
  /** `current`: there was nothing to do. */
  readonly state: 'current' | 'under_way' | 'finished';
  readonly swept: SweepPosition | null;
}

const CURRENT: ReindexProgress = { state: 'current', swept: null };

/**
 * One step in rebuilding the index of a user who has none, or one of an earlier analyser, under the user's lock
 * (docs/decisions/0074-rebuild-the-lexical-index-of-a-large-user-in-steps.md). A user with few memories and turns needs one.
 * The units are indexed anew in the order of their numbers, each under a new number; then the memories that are in no index;
 * then the former postings are removed. Every step leaves an index that is right, and the next one may be another process's.
 * Batches that no worker has indexed are left to `indexTurns`. Echoes are due at the end (`findEchoesDue`).
 */
export async function reindexPage(
  tx: Tx,
  { userId, swept = null, page = PAGE, sweepPage = SWEEP_PAGE }: ReindexStep,
): Promise<ReindexProgress> {
  const user = await lockOutdated(tx, userId);
  if (!user) return CURRENT;
  tx.allowBulk();
  const known = readReindexedBelow(user);
  const below = known ?? user.next_unit;
  const after = known === null ? null : user.reindex_after;
  const renewed = await renewUnits(tx, userId, { below, firstUnit: user.next_unit, limit: page });
  const added =
    renewed.read === page
      ? { ...NOTHING, upTo: after }
      : await addMissing(tx, userId, { after, firstUnit: user.next_unit + renewed.units, limit: page - renewed.read });
  const isSwept = added.upTo === null && renewed.read < page;
  const position = isSwept ? await sweepPostings(tx, userId, { below, from: swept, limit: sweepPage }) : null;
  const isFinished = isSwept && position === null;
  tx.atCommit(
    tx.execute(
      `UPDATE users SET next_unit = next_unit + $2, term_total = term_total + $3, turn_count = turn_count + $4,
                        turn_length = turn_length + $5, analyzer = $6, reindex_below = $7, reindex_after = $8,
                        echoes_after = CASE WHEN $9 THEN NULL ELSE echoes_after END
        WHERE user_id = $1`,
      [
        userId,
        renewed.units + added.units,
        renewed.terms + added.terms,
        renewed.turns,
        renewed.turnLength,
        isFinished ? ANALYZER_VERSION : user.analyzer === NO_ANALYZER ? NO_ANALYZER : REINDEXING_VERSION,
        isFinished ? null : below,
        isFinished ? null : isSwept ? LAST_UUID : added.upTo,
        isFinished,
      ],
    ),
  );
  return { state: isFinished ? 'finished' : 'under_way', swept: position };
}

/** No memory is behind it. */
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type OutdatedUser = ReindexingColumns & Pick<UserEntity, 'next_unit' | 'reindex_after'>;

async function lockOutdated(tx: Tx, userId: string): Promise<OutdatedUser | undefined> {
  const [user] = await tx.query<OutdatedUser>(
    'SELECT analyzer, next_unit, reindex_below, reindex_after FROM users WHERE user_id = $1 FOR NO KEY UPDATE',
    [userId],
  );
  const isOutdated = user !== undefined && user.analyzer !== null && user.analyzer < ANALYZER_VERSION;
  return isOutdated ? user : undefined;
}

/** By how much the user's numbers change. */
interface Renewal {
  /** Units that took a new number. */
  readonly units: number;
  readonly terms: number;
  readonly turns: number;
  readonly turnLength: number;
}

const NOTHING: Renewal = { units: 0, terms: 0, turns: 0, turnLength: 0 };

/**
 * Indexes the first `limit` units below `below` anew, under numbers from `firstUnit` on. One whose memory or message does not
 * belong into the index leaves it.
 */
async function renewUnits(
  tx: Tx,
  userId: string,
  { below, firstUnit, limit }: { readonly below: number; readonly firstUnit: number; readonly limit: number },
): Promise<Renewal & { readonly read: number }> {
  const former = await tx.query<Omit<LexicalUnitEntity, 'tenant_id' | 'user_id' | 'former_unit'>>(
    `SELECT unit, memory_id, message_id, length FROM lexical_units
      WHERE user_id = $1 AND unit < $2 ORDER BY unit LIMIT ${Math.trunc(limit)}`,
    [userId, below],
  );
  if (former.length === 0) return { ...NOTHING, read: 0 };
  const [memoryRows, run] = await allOf([
    loadIndexedMemories(
      tx,
      former.flatMap(({ memory_id: id }) => id ?? []),
    ),
    loadIndexedTurns(
      tx,
      userId,
      former.flatMap(({ message_id: id }) => id ?? []),
    ),
  ]);
  const memories = await runInSlices(analyzeMemories(memoryRows), pauseInTransaction);
  const turns = await runInSlices(analyzeStoredTurns(run), pauseInTransaction);
  const analyses = new Map<string, Omit<NewUnit & UnitPostings, 'unit'>>([
    ...memories.map((memory) => [memory.id, { ...memory, kind: 'memory' as const }] as const),
    ...turns.map((turn) => [turn.id, { ...turn, kind: 'turn' as const }] as const),
  ]);
  const units = former
    .flatMap(({ unit, memory_id: memoryId, message_id: messageId }) => {
      const analysis = analyses.get((memoryId ?? messageId)!);
      return analysis ? [{ ...analysis, formerUnit: unit }] : [];
    })
    .map((unit, index) => ({ ...unit, unit: firstUnit + index }));
  await allOf([
    tx.execute('DELETE FROM lexical_units WHERE user_id = $1 AND unit = ANY ($2)', [
      userId,
      former.map(({ unit }) => unit),
    ]),
    insertUnitsWithPostings(tx, userId, firstUnit, units),
    updateDerivedColumns(tx, memories),
  ]);
  const formerTurns = former.filter(({ message_id: id }) => id !== null);
  return {
    read: former.length,
    units: units.length,
    terms: countAddedTerms(memories),
    turns: turns.length - formerTurns.length,
    turnLength: sumLengths(turns) - sumLengths(formerTurns),
  };
}

/** Adds the next memories that are in no index, though they belong there: those of who had none. */
async function addMissing(
  tx: Tx,
  userId: string,
  { after, firstUnit, limit }: { readonly after: string | null; readonly firstUnit: number; readonly limit: number },
): Promise<Renewal & { readonly upTo: string | null }> {
  const { rows, upTo } = await loadUnindexedMemories(tx, userId, { after: after ?? NIL_UUID, limit });
  const memories = await runInSlices(analyzeMemories(rows), pauseInTransaction);
  const units = memories
    .filter(({ isIndexed }) => isIndexed)
    .map((memory, index) => ({ ...memory, kind: 'memory' as const, unit: firstUnit + index }));
  await allOf([insertUnitsWithPostings(tx, userId, firstUnit, units), updateDerivedColumns(tx, memories)]);
  return { ...NOTHING, units: units.length, terms: countAddedTerms(memories), upTo };
}

/** The memories counted in the statistics already, with the terms that the analyser before found. */
function countAddedTerms(memories: readonly AnalyzedMemory[]): number {
  return memories
    .filter(({ isCurrent }) => isCurrent)
    .reduce((sum, { length, termCount }) => sum + length - termCount, 0);
}

const sumLengths = (units: readonly { readonly length: number }[]) =>
  units.reduce((sum, { length }) => sum + length, 0);

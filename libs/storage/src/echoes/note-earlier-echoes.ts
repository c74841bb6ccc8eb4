import { ANALYZER_VERSION, ECHOES_VERSION, type IdGenerator } from '@annals/domain';
import { NIL_UUID } from '../database/cursor.js';
import type { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { UserEntity } from '../entities/user.entity.js';
import { withdrawAppMemoriesOfEchoes } from '../app-memories/withdraw-app-memories.js';
import { dropSentencesOfEchoes } from '../summaries/drop-hidden-sentences.js';
import { findIndexedEchoes, type FoundEcho } from './find-echoes.js';
import { IS_OVER_SQL, isStillSaidSql, noteEchoes } from './note-echoes.js';

/** A user whose index is as it should be, while the echoes of what is over are still to be noted. */
export interface EchoesDue {
  readonly tenantId: string;
  readonly userId: string;
  /** Version of what the user has: of the index, or of an earlier rule of echoes. */
  readonly version: number;
}

/** The first due user of each tenant, of up to `limit` tenants behind the one of `after`, except those `skipped`. */
export async function findEchoesDue(
  database: Database,
  {
    after,
    skipped,
    limit,
  }: {
    readonly after: Omit<EchoesDue, 'userId'> | null;
    readonly skipped: readonly EchoesDue[];
    readonly limit: number;
  },
): Promise<EchoesDue[]> {
  const rows = await database.callAcrossTenants<Pick<UserEntity, 'tenant_id' | 'user_id'> & { analyzer: number }>(
    'find_echoes_due',
    [
      after?.version ?? ANALYZER_VERSION,
      after?.tenantId ?? NIL_UUID,
      ECHOES_VERSION,
      skipped.map(({ tenantId }) => tenantId),
      skipped.map(({ userId }) => userId),
      limit,
    ],
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id, version: row.analyzer }));
}

/** Memories of one page: other writes of the user wait for one page only. */
const PAGE = 50;

/**
 * Notes the echoes of the user's next memories that are over, in the order of their ids, and withdraws notes of memories
 * in this range that an earlier rule made, but for memories with more than `maxUnits` turns to compare: the older of
 * these are not read. Under the user's lock. The position is stored with the page, so a process may be killed at any
 * moment. Returns how many memories were looked up.
 */
export async function notePageOfEchoes(
  tx: Tx,
  userId: string,
  { now, ids, maxUnits }: { readonly now: number; readonly ids: IdGenerator; readonly maxUnits?: number },
): Promise<number> {
  const [user] = await tx.query<Pick<UserEntity, 'analyzer' | 'echoes_after'>>(
    'SELECT analyzer, echoes_after FROM users WHERE user_id = $1 FOR NO KEY UPDATE',
    [userId],
  );
  // Meanwhile another process may have finished, or the index may be outdated.
  if (!user || user.analyzer === null || user.analyzer < ANALYZER_VERSION || user.analyzer >= ECHOES_VERSION) return 0;
  const after = user.echoes_after ?? NIL_UUID;
  const memories = await loadOverMemoriesAfter(tx, userId, after);
  const upTo = memories.length < PAGE ? null : memories.at(-1)!.id;
  const { echoes, unfinished } = await findIndexedEchoes(
    tx,
    userId,
    memories.filter((memory) => !memory.is_still_said),
    maxUnits,
  );
  tx.atCommit(
    withdrawOthers(tx, userId, { after, upTo, unfinished }, echoes),
    ...(echoes.length === 0 ? [] : [noteEchoes(tx, echoes), dropSentencesOfEchoes(tx, echoes)]),
    tx.execute('UPDATE users SET echoes_after = $2, analyzer = $3 WHERE user_id = $1', [
      userId,
      upTo,
      upTo === null ? ECHOES_VERSION : user.analyzer,
    ]),
  );
  if (echoes.length > 0) await withdrawAppMemoriesOfEchoes(tx, echoes, { now, ids, trace: null });
  return memories.length;
}

/** The page is cut before those are left out that are still said: of each of these the history is read. */
function loadOverMemoriesAfter(tx: Tx, userId: string, after: string) {
  return tx.query<Pick<MemoryEntity, 'id' | 'content'> & { is_still_said: boolean }>(
    `SELECT p.id, p.content, ${isStillSaidSql('p')} AS is_still_said
       FROM (SELECT m.id, m.content, m.state, m.superseded_by FROM memories m
              WHERE m.user_id = $1 AND m.id > $2 AND ${IS_OVER_SQL} ORDER BY m.id LIMIT ${PAGE}) p
      ORDER BY p.id`,
    [userId, after],
  );
}

/**
 * Takes the memories with an id behind `after`, up to `upTo`, from the notes of all turns but those that repeat them. Not
 * the `unfinished` ones: whether older turns repeat these is not known.
 */
function withdrawOthers(
  tx: Tx,
  userId: string,
  {
    after,
    upTo,
    unfinished,
  }: { readonly after: string; readonly upTo: string | null; readonly unfinished: readonly string[] },
  echoes: readonly FoundEcho[],
): Promise<number> {
  const isKept = `(n.id <= $2 OR coalesce(n.id > $3::uuid, false) OR n.id = ANY ($6::uuid[]) OR EXISTS (
       SELECT FROM unnest($4::uuid[], $5::uuid[]) AS f (message_id, memory_id)
        WHERE f.message_id = g.id AND f.memory_id = n.id))`;
  return tx.execute(
    `UPDATE messages g
        SET echo_of = nullif(ARRAY (SELECT n.id FROM unnest(g.echo_of) AS n (id) WHERE ${isKept} ORDER BY n.id), '{}')
       FROM conversations c
      WHERE c.user_id = $1 AND g.tenant_id = c.tenant_id AND g.conversation_id = c.id AND g.echo_of IS NOT NULL
        AND EXISTS (SELECT FROM unnest(g.echo_of) AS n (id) WHERE NOT ${isKept})`,
    [userId, after, upTo, echoes.map(({ messageId }) => messageId), echoes.map(({ memoryId }) => memoryId), unfinished],
  );
}

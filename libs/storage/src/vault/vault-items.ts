import type { VaultMemory, VaultSummary, VaultTurn } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { VaultChain } from './vault-subject.js';

/** Which items there are: when anything changes in the file of an item, `mark` is another. */
export interface VaultMark {
  readonly id: string;
  readonly mark: string;
}

const epochMs = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint::float8`;

/** Memories that have a file: all but those in quarantine. */
/** Its revision does not say that it was said again. */
const MEMORY_MARK = `concat_ws(' ', m.revision, extract(epoch FROM m.updated_at),
                                  (SELECT concat_ws(' ', count(*), bit_xor(hashtextextended(o.message_id::text, 0)))
                                     FROM memory_sources o WHERE o.memory_id = m.id))`;

const HAS_FILE_SQL = `m.state <> 'quarantined'`;

/**
 * Whether a user's audit chain goes on behind a link as it was when that link was its last one: not in a database that was
 * restored to a state before it.
 */
export async function isChainContinued(tx: Tx, userId: string, from: VaultChain, to: VaultChain): Promise<boolean> {
  if (from.seq >= to.seq) return from.seq === to.seq && from.head === to.head;
  if (from.seq === 0) return true;
  const [next] = await tx.query<{ prev: string | null }>(
    `SELECT encode(prev_hash, 'hex') AS prev FROM history WHERE user_id = $1 AND seq = $2`,
    [userId, from.seq + 1],
  );
  return next?.prev === from.head;
}

/**
 * The ids of memories whose history goes on behind a link of the user's audit chain, up to another one, and whether
 * something was purged in between.
 */
export async function findChangedMemories(
  tx: Tx,
  userId: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<{ readonly ids: string[]; readonly hasPurged: boolean }> {
  const rows = await tx.query<{ memory_id: string; is_purge: boolean }>(
    `SELECT memory_id, bool_or(event = 'PURGE') AS is_purge FROM history
      WHERE user_id = $1 AND seq > $2 AND seq <= $3 AND memory_id IS NOT NULL GROUP BY memory_id`,
    [userId, after, upTo],
  );
  return { ids: rows.map((row) => row.memory_id), hasPurged: rows.some((row) => row.is_purge) };
}

/** Every memory of a user that has a file, in pages by id. */
export function listVaultMemories(
  tx: Tx,
  userId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<VaultMark[]> {
  return tx.query<VaultMark>(
    `SELECT m.id, ${MEMORY_MARK} AS mark FROM memories m
      WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.id > $2) AND ${HAS_FILE_SQL} ORDER BY m.id LIMIT $3`,
    [userId, after, limit],
  );
}

/** Those of these memories that have a file. */
export async function readVaultMemories(
  tx: Tx,
  userId: string,
  ids: readonly string[],
): Promise<(VaultMemory & VaultMark)[]> {
  if (ids.length === 0) return [];
  return tx.query<VaultMemory & VaultMark>(
    `SELECT 'memory' AS role, m.id, s.thread_id AS "threadId", m.content, m.category, m.type, m.origin, m.importance,
            m.confidence, m.pinned, m.revision, m.normalized_hash AS hash, ${epochMs('m.recorded_at')} AS "createdAt",
            ${epochMs('m.valid_from')} AS "validFrom", ${epochMs('m.valid_to')} AS "validTo",
            ${epochMs('m.closed_at')} AS "closedAt", m.superseded_by AS "replacedBy",
            ${epochMs('m.deleted_at')} AS "deletedAt", m.deleted_by AS "deletedBy", coalesce(s.ids, '{}') AS sources, ${MEMORY_MARK} AS mark
       FROM memories m
       LEFT JOIN LATERAL (
         SELECT (array_agg(s.thread_id ORDER BY s.said_at DESC, s.message_id DESC))[1] AS thread_id,
                array_agg(s.message_id ORDER BY s.said_at, s.message_id) AS ids
           FROM memory_sources s WHERE s.memory_id = m.id) s ON true
      WHERE m.id = ANY ($1) AND m.user_id = $2 AND ${HAS_FILE_SQL} ORDER BY m.id`,
    [ids, userId],
  );
}

/** Those of these ids that a memory of the user had which is gone for good. */
export async function findPurgedMemories(tx: Tx, userId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ memory_id: string }>(
    `SELECT DISTINCT memory_id FROM history WHERE user_id = $1 AND memory_id = ANY ($2) AND event = 'PURGE'`,
    [userId, ids],
  );
  return new Set(rows.map((row) => row.memory_id));
}

/** Ids of a user's conversations. */
export async function listVaultConversationIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>('SELECT id FROM conversations WHERE user_id = $1 ORDER BY id', [userId]);
  return rows.map(({ id }) => id);
}

/** A conversation of a user; `mark` is another one when any of its messages or summaries changed, or a memory was said in it. */
export interface VaultConversation extends VaultMark {
  readonly threadId: string;
  /** It has messages that are hidden or lost words. */
  readonly isReduced: boolean;
}

const TURN_MARK = `concat_ws(' ', g.id, extract(epoch FROM g.hidden_at), extract(epoch FROM g.evicted_at), extract(epoch FROM g.forgotten_at), length(g.content))`;
const SUMMARY_MARK = `concat_ws(' ', y.id, extract(epoch FROM y.tombstoned_at), y.replaced_by, y.tokens,
                                  (SELECT string_agg(md5(n.content), '' ORDER BY n.ordinal) FROM summary_sentences n WHERE n.summary_id = y.id))`;

export function listVaultConversations(tx: Tx, userId: string): Promise<VaultConversation[]> {
  return tx.query<VaultConversation>(
    `SELECT c.id, c.thread_id AS "threadId", coalesce(t.is_reduced, false) AS "isReduced",
            concat_ws(' ', t.n, t.mark, o.n, o.mark, s.n, s.mark) AS mark
       FROM conversations c
       LEFT JOIN LATERAL (SELECT count(*) AS n, bit_xor(hashtextextended(${TURN_MARK}, 0)) AS mark,
                                bool_or(g.hidden_at IS NOT NULL OR g.forgotten_at IS NOT NULL) AS is_reduced
                            FROM messages g WHERE g.conversation_id = c.id) t ON true
       LEFT JOIN LATERAL (SELECT count(*) AS n, bit_xor(hashtextextended(o.memory_id::text || o.message_id, 0)) AS mark
                            FROM memory_sources o WHERE o.user_id = c.user_id AND o.thread_id = c.thread_id) o ON true
       LEFT JOIN LATERAL (SELECT count(*) AS n, bit_xor(hashtextextended(${SUMMARY_MARK}, 0)) AS mark
                            FROM summaries y WHERE y.conversation_id = c.id) s ON true
      WHERE c.user_id = $1 ORDER BY c.id`,
    [userId],
  );
}

/** Memories that have a file and rest on messages of these threads. */
export function listThreadMemories(tx: Tx, userId: string, threadIds: readonly string[]): Promise<VaultMark[]> {
  return tx.query<VaultMark>(
    `SELECT m.id, ${MEMORY_MARK} AS mark FROM memories m
      WHERE m.id IN (SELECT o.memory_id FROM memory_sources o WHERE o.user_id = $1 AND o.thread_id = ANY ($2))
        AND ${HAS_FILE_SQL} ORDER BY m.id`,
    [userId, threadIds],
  );
}

export interface ConversationItem extends VaultMark {
  readonly conversationId: string;
  readonly isTurn: boolean;
}

/** Messages and summaries of conversations, without their words. A message that lost all its words has no file. */
export function listConversationItems(tx: Tx, conversationIds: readonly string[]): Promise<ConversationItem[]> {
  return tx.query<ConversationItem>(
    `SELECT g.id, g.conversation_id AS "conversationId", true AS "isTurn", ${TURN_MARK} AS mark
       FROM messages g
      WHERE g.conversation_id = ANY ($1) AND (g.content <> '' OR g.forgotten_at IS NULL)
     UNION ALL
     SELECT y.id, y.conversation_id, false, ${SUMMARY_MARK} FROM summaries y
      WHERE y.conversation_id = ANY ($1)`,
    [conversationIds],
  );
}

export function readVaultTurns(tx: Tx, userId: string, ids: readonly string[]): Promise<(VaultTurn & VaultMark)[]> {
  return tx.query<VaultTurn & VaultMark>(
    `SELECT g.role, g.id, c.thread_id AS "threadId", g.content, g.seq, g.actor_id AS "actorId", g.agent_id AS "agentId",
            ${epochMs('g.said_at')} AS "createdAt", ${epochMs('g.hidden_at')} AS "hiddenAt",
            ${epochMs('g.evicted_at')} AS "evictedAt", ${epochMs('g.forgotten_at')} AS "forgottenAt",
            ${TURN_MARK} AS mark
       FROM messages g JOIN conversations c ON c.id = g.conversation_id
      WHERE g.id = ANY ($1) AND c.user_id = $2 AND (g.content <> '' OR g.forgotten_at IS NULL)`,
    [ids, userId],
  );
}

export function readVaultSummaries(
  tx: Tx,
  userId: string,
  ids: readonly string[],
): Promise<(VaultSummary & VaultMark)[]> {
  return tx.query<VaultSummary & VaultMark>(
    `SELECT 'summary' AS role, y.id, c.thread_id AS "threadId",
            coalesce((SELECT string_agg(n.content, ' ' ORDER BY n.ordinal) FROM summary_sentences n
                       WHERE n.summary_id = y.id), '') AS content,
            y.tier, y.position, y.level, y.kind, y.provider, y.model, y.from_seq AS "fromSeq", y.to_seq AS "toSeq",
            y.covered_tokens AS "coveredTokens", y.tokens, ${epochMs('y.created_at')} AS "createdAt",
            ${epochMs('y.tombstoned_at')} AS "deletedAt", y.replaced_by AS "replacedBy", ${SUMMARY_MARK} AS mark
       FROM summaries y JOIN conversations c ON c.id = y.conversation_id
      WHERE y.id = ANY ($1) AND c.user_id = $2`,
    [ids, userId],
  );
}

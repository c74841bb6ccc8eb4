import { allOf, type Tx } from '../database/transaction.js';
import type { FoundEcho } from '../echoes/find-echoes.js';
import { Binder } from '../query/binder.js';
import { askForAppMemory, type AppMemoryRequest } from './ask-for-app-memory.js';
import { RESTS_ON_HIDDEN_SQL } from './pool.js';

/** App memories that rest on these messages, and these. */
interface NamedAppMemories {
  readonly messageIds: readonly string[];
  readonly memoryIds: readonly string[];
}

/** SQL of whether `app_memories m` is one of them. */
const IS_NAMED_SQL = `(m.id = ANY ($2) OR m.id IN (
       SELECT s.app_memory_id FROM app_memory_sources s WHERE s.message_id = ANY ($1)))`;

/** How many `withdrawAppMemoriesOf` would delete. */
export async function countAppMemoriesOf(tx: Tx, { messageIds, memoryIds }: NamedAppMemories): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM app_memories m WHERE ${IS_NAMED_SQL}`,
    [messageIds, memoryIds],
  );
  return row!.count;
}

/** Deletes them, and asks again for those of all conversations that they were made from. Returns how many went. */
export async function withdrawAppMemoriesOf(
  tx: Tx,
  { messageIds, memoryIds }: NamedAppMemories,
  request: AppMemoryRequest,
): Promise<number> {
  // By id, as who writes to a pool locks them.
  const locked = await tx.query<{ id: string }>(
    `SELECT m.id FROM app_memories m WHERE ${IS_NAMED_SQL} ORDER BY m.id FOR UPDATE`,
    [messageIds, memoryIds],
  );
  await remakeAppMemories(tx, await deleteLocked(tx, toIds(locked)), request);
  return locked.length;
}

/** Returns the conversations that lost a memory, also those that were merged into it. `condition`: SQL on `app_memories m`. */
async function deleteLocked(tx: Tx, memoryIds: readonly string[], condition = 'true'): Promise<string[]> {
  if (memoryIds.length === 0) return [];
  const rows = await tx.query<ConversationRow>(
    `WITH withdrawn AS (
       DELETE FROM app_memories m WHERE m.id = ANY ($1) AND ${condition} RETURNING m.id, m.state
     )
     SELECT DISTINCT s.conversation_id AS id FROM withdrawn w JOIN app_memory_sources s ON s.app_memory_id = w.id
      WHERE w.state IN ('active', 'pending') ORDER BY 1`,
    [memoryIds],
  );
  return toIds(rows);
}

interface ConversationRow {
  readonly id: string;
}

const toIds = (rows: readonly ConversationRow[]) => rows.map(({ id }) => id);

/** Messages that a write hid or shows again, by their conversations. */
export interface RetoldMessages {
  readonly conversationIds: readonly string[];
  /** Whether any may be shown again. */
  readonly isRestored: boolean;
}

/**
 * Deletes the app memories that rest on a hidden message, in the transaction that hides it, whatever state they are in,
 * and asks again for those of all conversations that they were made from. After a restoration, asks for conversations
 * that runs have seen, that no merged memory rests on, and whose memory nobody has deleted since. Run it behind the statements that hide or show messages, and behind those that move
 * the watermark of the conversations (`dropHiddenSentences`).
 */
export async function withdrawHiddenAppMemories(
  tx: Tx,
  { conversationIds, isRestored }: RetoldMessages,
  request: AppMemoryRequest,
): Promise<void> {
  if (conversationIds.length === 0) return;
  const withdrawn = await deleteHidden(tx, conversationIds);
  const restored = isRestored ? await findUnmerged(tx, conversationIds) : [];
  await forgetWatermarks(tx, withdrawn);
  await askForAppMemory(tx, [...new Set([...withdrawn, ...restored])], request);
}

/**
 * The same for turns that are found only now to repeat something, in the transaction that notes them: of what was deleted
 * before.
 */
export async function withdrawAppMemoriesOfEchoes(
  tx: Tx,
  echoes: readonly FoundEcho[],
  request: AppMemoryRequest,
): Promise<void> {
  const conversations = await tx.query<ConversationRow>(
    'SELECT DISTINCT g.conversation_id AS id FROM messages g WHERE g.id = ANY ($1)',
    [[...new Set(echoes.map(({ messageId }) => messageId))]],
  );
  await remakeAppMemories(tx, await deleteHidden(tx, toIds(conversations)), request);
}

/** Returns the conversations that lost a memory, also those that were merged into it. */
async function deleteHidden(tx: Tx, conversationIds: readonly string[]): Promise<string[]> {
  // By id, as who writes to a pool locks them. The next statement sees what a merge that was waited for has added.
  const locked = await tx.query<{ id: string }>(
    `SELECT m.id FROM app_memories m
      WHERE m.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.conversation_id = ANY ($1))
      ORDER BY m.id FOR UPDATE`,
    [conversationIds],
  );
  return deleteLocked(tx, toIds(locked), RESTS_ON_HIDDEN_SQL);
}

async function findUnmerged(tx: Tx, conversationIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<ConversationRow>(
    `SELECT c.id FROM conversations c JOIN mind_watermarks w
         ON w.tenant_id = c.tenant_id AND w.subject_id = c.id AND w.kind = 'app_memory' AND w.dismissed_at IS NULL
      WHERE c.id = ANY ($1) AND c.app_id IS NOT NULL AND c.ended_at IS NOT NULL AND NOT EXISTS (
              SELECT FROM app_memory_sources s JOIN app_memories m ON m.tenant_id = s.tenant_id AND m.id = s.app_memory_id
               WHERE s.tenant_id = c.tenant_id AND s.conversation_id = c.id AND m.state = 'active'
                 AND EXISTS (SELECT FROM app_memory_sources o
                              WHERE o.tenant_id = m.tenant_id AND o.app_memory_id = m.id AND o.conversation_id <> c.id))
      ORDER BY 1`,
    [conversationIds],
  );
  return toIds(rows);
}

/** Whose app memories go: those that rest on a conversation, or on any of a person's; of one app, where it is named. */
export interface AppMemoryOwner {
  readonly conversationId?: string;
  readonly userId?: string | undefined;
  readonly appId?: string;
}

interface OwnedAppMemories {
  readonly memoryIds: readonly string[];
  /** The conversations that they rest on. */
  readonly sources: readonly string[];
  /** Those of others that lose theirs with them, for `remakeAppMemories` behind the deletion. */
  readonly others: readonly string[];
}

/**
 * Locks what an erasure, a forgotten conversation or a purge takes away, before it does, in the order in which everybody
 * does (docs/reference/writes.md#lock-the-users-row-first): app memories, then the watermarks and the work of all of their
 * conversations.
 */
export async function lockOwnedAppMemories(tx: Tx, owner: AppMemoryOwner): Promise<OwnedAppMemories> {
  const { conversationId, userId, appId } = owner;
  const binder = new Binder();
  binder.where((p) => `m.app_id = ${p}`, appId);
  for (const [column, id] of [['user_id', userId] as const, ['conversation_id', conversationId] as const]) {
    binder.where((p) => `m.id IN (SELECT s.app_memory_id FROM app_memory_sources s WHERE s.${column} = ${p})`, id);
  }
  const locked = await tx.query<{ id: string }>(
    `SELECT m.id FROM app_memories m WHERE ${binder.whereSql()} ORDER BY m.id FOR UPDATE`,
    binder.values,
  );
  const memoryIds = locked.map(({ id }) => id);
  const rows = await findSources(tx, owner, memoryIds);
  const sources = toIds(rows);
  await lockRuns(tx, owner, sources);
  return { memoryIds, sources, others: toIds(rows.filter((row) => row.is_other)) };
}

type SourceRow = ConversationRow & { readonly is_other: boolean };

async function findSources(
  tx: Tx,
  { conversationId, userId }: AppMemoryOwner,
  memoryIds: readonly string[],
): Promise<SourceRow[]> {
  if (memoryIds.length === 0) return [];
  const binder = new Binder();
  const ids = binder.bind(memoryIds);
  const owned = binder.bind(userId ?? conversationId ?? null);
  const column = userId === undefined ? 's.conversation_id::text' : 's.user_id';
  return tx.query<SourceRow>(
    `SELECT s.conversation_id AS id, coalesce(bool_or(m.state IN ('active', 'pending') AND ${column} <> ${owned}), false) AS is_other
       FROM app_memories m JOIN app_memory_sources s ON s.tenant_id = m.tenant_id AND s.app_memory_id = m.id
      WHERE m.id = ANY (${ids}) GROUP BY s.conversation_id ORDER BY 1`,
    binder.values,
  );
}

async function lockRuns(
  tx: Tx,
  { conversationId, userId, appId }: AppMemoryOwner,
  sources: readonly string[],
): Promise<void> {
  const binder = new Binder();
  binder.where((p) => `c.id = ${p}`, conversationId);
  binder.where((p) => `c.user_id = ${p}`, userId);
  binder.where((p) => `c.app_id = ${p}`, appId);
  const subjects = `SELECT c.id FROM conversations c WHERE ${binder.whereSql()}
                     UNION ALL SELECT unnest(${binder.bind(sources)}::uuid[])`;
  const lock = (table: 'mind_watermarks' | 'work') =>
    tx.query(
      `SELECT FROM ${table} t WHERE t.kind = 'app_memory' AND t.subject_id IN (${subjects})
        ORDER BY t.subject_id FOR UPDATE`,
      binder.values,
    );
  await allOf([lock('mind_watermarks'), lock('work')]);
}

/**
 * Asks again for the app memories of conversations that lost theirs although nothing in them changed: their runs forget
 * what they have seen. Of other users, too, so their conversations are not touched: these are locked by others. Behind
 * all locks on memories, and with nothing behind it but the end of other work.
 */
export async function remakeAppMemories(
  tx: Tx,
  conversationIds: readonly string[],
  request: AppMemoryRequest,
): Promise<void> {
  if (conversationIds.length === 0) return;
  await forgetWatermarks(tx, conversationIds);
  await askForAppMemory(tx, conversationIds, request);
}

async function forgetWatermarks(tx: Tx, conversationIds: readonly string[]): Promise<void> {
  if (conversationIds.length === 0) return;
  await tx.execute(
    `UPDATE mind_watermarks SET watermark = NULL, failures = 0, dismissed_at = NULL
      WHERE kind = 'app_memory' AND subject_id IN (
              SELECT w.subject_id FROM mind_watermarks w
               WHERE w.kind = 'app_memory' AND w.subject_id = ANY ($1) ORDER BY w.subject_id FOR UPDATE)`,
    [conversationIds],
  );
}

import type { Tx } from '../database/transaction.js';
import { noteDeletion, noteKeyedDeletion } from '../deletions/note-deletion.js';
import { Binder } from '../query/binder.js';
import type { AppMemoryRequest } from './ask-for-app-memory.js';
import { lockOwnedAppMemories, remakeAppMemories } from './withdraw-app-memories.js';

/**
 * Deletes the memories of an app with all that they replaced, whether it is installed or not: all of them, or those that
 * rest on conversations of one user, after which the other conversations of these are asked for again. Work that waits or
 * runs for an end before it is cancelled, so that it does not bring back what is deleted. Returns how many of them were
 * in use.
 */
export async function purgeAppMemories(
  tx: Tx,
  { appId, userId }: { readonly appId: string; readonly userId: string | undefined },
  request: AppMemoryRequest,
): Promise<number> {
  await noteKeyedDeletion(
    tx,
    userId === undefined ? 'app_memories' : 'app_memories_of_user',
    userId === undefined ? [appId] : [appId, userId],
    request.now,
  );
  // First the app, as who writes to its pool does, and so keeps out whoever would.
  await tx.query('SELECT FROM apps WHERE app_id = $1 FOR NO KEY UPDATE', [appId]);
  const { memoryIds, sources, others } = await lockOwnedAppMemories(tx, { appId, userId });
  const deleted = await tx.query<{ is_active: boolean }>(
    `DELETE FROM app_memories WHERE id = ANY ($1) RETURNING state = 'active' AS is_active`,
    [memoryIds],
  );
  // Also of conversations whose memory was to be made again.
  await dismissAppMemories(tx, { ids: sources.filter((id) => !others.includes(id)), appId, userId }, request.now);
  await cancelAppMemories(tx, { appId, userId });
  await remakeAppMemories(tx, others, request);
  return deleted.filter((row) => row.is_active).length;
}

/**
 * Notes that somebody deleted what runs made of these conversations, and of those of an app (and user): a message that
 * comes back is no reason to make it again. Not where another memory in use rests on the conversation. Behind the
 * deletion.
 */
async function dismissAppMemories(
  tx: Tx,
  {
    ids,
    appId,
    userId,
  }: { readonly ids: readonly string[]; readonly appId?: string; readonly userId?: string | undefined },
  now: number,
): Promise<void> {
  await tx.execute(
    `UPDATE mind_watermarks d SET dismissed_at = $4
       FROM (SELECT w.subject_id FROM mind_watermarks w
              WHERE w.kind = 'app_memory' AND w.subject_id IN (
                      SELECT unnest($1::uuid[])
                      UNION ALL
                      SELECT c.id FROM conversations c WHERE c.app_id = $2 AND ($3::text IS NULL OR c.user_id = $3))
                AND NOT EXISTS (SELECT FROM app_memory_sources s
                                  JOIN app_memories m ON m.tenant_id = s.tenant_id AND m.id = s.app_memory_id
                                 WHERE s.conversation_id = w.subject_id AND m.state IN ('active', 'pending'))
              ORDER BY w.subject_id FOR UPDATE) o
      WHERE d.kind = 'app_memory' AND d.subject_id = o.subject_id`,
    [ids, appId ?? null, userId ?? null, new Date(now)],
  );
}

/** A run that has claimed the work can commit nothing without it. */
async function cancelAppMemories(
  tx: Tx,
  { appId, userId }: { readonly appId: string; readonly userId: string | undefined },
): Promise<void> {
  const binder = new Binder();
  binder.where((p) => `c.app_id = ${p}`, appId);
  binder.where((p) => `c.user_id = ${p}`, userId);
  await tx.execute(
    `DELETE FROM work d USING (
       SELECT w.id FROM work w JOIN conversations c ON c.tenant_id = w.tenant_id AND c.id = w.subject_id
        WHERE w.kind = 'app_memory' AND ${binder.whereSql()}) o
      WHERE d.id = o.id`,
    binder.values,
  );
}

/** Deletes one memory, with all that was merged into it or that it took the place of. `now`: epoch ms. */
export async function deleteAppMemory(tx: Tx, id: string, now: number): Promise<void> {
  await noteDeletion(tx, 'app_memory', id, now);
  const locked = await tx.query<{ id: string }>(
    `WITH RECURSIVE chain AS (
       SELECT m.id FROM app_memories m WHERE m.id = $1
       UNION
       SELECT m.id FROM chain c JOIN app_memories m ON m.replaced_by = c.id
     )
     SELECT m.id FROM app_memories m WHERE m.id IN (SELECT id FROM chain) ORDER BY m.id FOR UPDATE`,
    [id],
  );
  const memoryIds = locked.map((row) => row.id);
  const sources = await tx.query<{ id: string }>(
    'SELECT DISTINCT s.conversation_id AS id FROM app_memory_sources s WHERE s.app_memory_id = ANY ($1)',
    [memoryIds],
  );
  await tx.execute('DELETE FROM app_memories WHERE id = ANY ($1)', [memoryIds]);
  await dismissAppMemories(tx, { ids: sources.map((row) => row.id) }, now);
}

/**
 * Uninstalls an app. Its memories stay, but for those that wait for a decision, which nobody would make. False for an app
 * that is not installed. `now`: epoch ms.
 */
export async function uninstallApp(tx: Tx, appId: string, now: number): Promise<boolean> {
  const uninstalled = await tx.execute('DELETE FROM apps WHERE app_id = $1', [appId]);
  if (uninstalled === 0) return false;
  await noteKeyedDeletion(tx, 'app', [appId], now);
  await tx.execute(
    `DELETE FROM app_memories d USING (
       SELECT m.id FROM app_memories m WHERE m.app_id = $1 AND m.state = 'pending' ORDER BY m.id FOR UPDATE) o
      WHERE d.id = o.id`,
    [appId],
  );
  return true;
}

import type { Database } from '../database/database.js';
import { type Creation, ensureNamespace } from './namespaces.js';
import { saveLangGraphBatch, type WritesOfBatch } from './save-langgraph-batch.js';

/**
 * Saves what a task has written, in one round trip unless the thread is new. One with a negative index replaces an earlier
 * one, others stay as they were first saved. Resolves to false when the thread belongs to another user.
 */
export async function saveLangGraphWrites(
  database: Database,
  tenantId: string,
  task: WritesOfBatch,
  creation: Creation,
): Promise<boolean> {
  const batch = { checkpoints: [], writes: [task], userId: task.userId, maxBytes: 0, now: creation.now };
  const saved = await saveLangGraphBatch(database, tenantId, batch);
  if (saved.writes[0]!) return true;
  const isOwn = await database.inTenant(tenantId, (tx) => ensureNamespace(tx, task, creation));
  return isOwn && saveLangGraphWrites(database, tenantId, task, creation);
}

import type { ChangeResult } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans the purge of a deleted memory that can no longer be restored: deletes its row, sources, vectors, postings,
 * relations and the content of its history; that it existed stays provable
 * (docs/reference/audit.md#content-leaves-the-chain). Its threads got a change when it was deleted.
 */
export function planPurge(set: WorkingSet, memoryId: string): ChangeResult {
  const memory = set.find(memoryId);
  if (!memory) return { outcome: 'not_found', memoryId };
  const isDue = memory.state === 'soft_deleted' && memory.purgeAt !== null && memory.purgeAt <= set.now;
  if (!isDue) return { outcome: 'not_due', memoryId };
  set.record({ ...memory, content: '' }, 'PURGE', { meta: { deleted_by: memory.deletedBy } });
  set.purge(memory);
  return { outcome: 'purged', memoryId };
}

import type { ChangeResult } from './types.js';
import type { WorkingSet } from './working-set.js';

/**
 * Plans the end of a memory whose time to be restored is over: row, sources, vectors, postings, relations and what its
 * history says go; that something was there stays provable (docs/reference/audit.md#content-leaves-the-chain). Its
 * threads were told when it was deleted.
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

import { SAME_MEANING, type StoredMemory, type WritePlan } from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { MemorySourceEntity } from '../entities/memory.entity.js';
import { findIndexedEchoes, type FoundEcho } from './find-echoes.js';

export interface EchoesOfPlan {
  readonly echoes: readonly FoundEcho[];
  /** The history of the plan, with the ids of the messages that each deletion hides. */
  readonly history: WritePlan['history'];
}

/** The turns that repeat what a plan ends or deletes. No round trip where nothing ends, else up to three. */
export async function findEchoesOfPlan(
  tx: Tx,
  userId: string,
  { inserts, updates, history }: Pick<WritePlan, 'inserts' | 'updates' | 'history'>,
): Promise<EchoesOfPlan> {
  const merged = new Set(history.filter(({ meta }) => meta.reason === SAME_MEANING).map(({ memoryId }) => memoryId));
  const over = [...inserts, ...updates].filter((memory) => isOver(memory) && !merged.has(memory.id));
  if (over.length === 0) return { echoes: [], history };
  const { echoes } = await findIndexedEchoes(tx, userId, over);
  const deleted = over.filter(isDeleted).map(({ id }) => id);
  if (deleted.length === 0) return { echoes, history };
  const cited = await tx.query<Pick<MemorySourceEntity, 'memory_id' | 'message_id'>>(
    'SELECT memory_id, message_id FROM memory_sources WHERE memory_id = ANY ($1)',
    [deleted],
  );
  const hidden = [...cited.map((row) => ({ memoryId: row.memory_id, messageId: row.message_id })), ...echoes];
  return {
    echoes,
    history: history.map((draft) => {
      if (draft.event !== 'DELETE' || !deleted.includes(draft.memoryId ?? '')) return draft;
      const ids = hidden.filter(({ memoryId }) => memoryId === draft.memoryId).map(({ messageId }) => messageId);
      return { ...draft, meta: { ...draft.meta, hides: [...new Set(ids)].toSorted() } };
    }),
  };
}

function isOver(memory: StoredMemory): boolean {
  return (
    memory.quarantineReason === null && (isDeleted(memory) || (memory.state === 'active' && memory.validTo !== null))
  );
}

/** By somebody, not by expiry: then what was said stays unsaid. */
function isDeleted({ state, deletedBy }: StoredMemory): boolean {
  return state === 'soft_deleted' && (deletedBy === 'user' || deletedBy === 'undo');
}

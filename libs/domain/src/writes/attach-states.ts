import type { HistoryDraft, WritePlan } from './types.js';

/** The history of a plan; the last row of each memory that it writes carries the memory as the plan leaves it. */
export function attachStates({
  history,
  inserts,
  updates,
}: Pick<WritePlan, 'history' | 'inserts' | 'updates'>): HistoryDraft[] {
  const waiting = new Map([...inserts, ...updates].map((memory) => [memory.id, memory]));
  return history
    .toReversed()
    .map((draft) => {
      const memory = draft.memoryId === null ? undefined : waiting.get(draft.memoryId);
      if (!memory) return draft;
      waiting.delete(memory.id);
      return { ...draft, memory };
    })
    .toReversed();
}

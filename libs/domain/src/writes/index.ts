export { chainedFields, chainHistory, type HistoryContext, type HistoryRow } from './chain-history.js';
export { PURGE_AFTER_MS } from './plan-lifecycle.js';
export { planWrites } from './plan-writes.js';
export { isCurrent } from './working-set.js';
export type {
  ChangeDraft,
  ChangeOutcome,
  ChangeResult,
  FormerEnd,
  HistoryDraft,
  MemoryChange,
  MemoryPatch,
  MergeableFields,
  NewMemory,
  NewSource,
  PlanContext,
  PlannedLink,
  SeenMemory,
  StatementJudgement,
  StoredMemory,
  WritePlan,
} from './types.js';

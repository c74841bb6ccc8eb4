export { chainedFields, chainHistory, type HistoryContext, type HistoryRow } from './chain-history.js';
export {
  classifyStatements,
  EDGE_TYPE,
  MAX_EDGES,
  type Neighbour,
  type OpenPair,
  type RequestedChanges,
  type StatementVectors,
  type StoredDecision,
} from './classify-statements.js';
export { planWrites } from './plan-writes.js';
export { isCurrent } from './index-statistics.js';
export { PURGE_AFTER_MS } from './working-set.js';
export type {
  ChangeDraft,
  ChangeOutcome,
  ChangeResult,
  FormerEnd,
  HistoryDraft,
  LastWrite,
  MemoryChange,
  MemoryPatch,
  MergeableFields,
  NewMemory,
  NewSource,
  PlanContext,
  PlannedLink,
  MemoryRevisionRef,
  StatementMatches,
  StoredMemory,
  WritePlan,
} from './types.js';

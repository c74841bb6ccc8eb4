export type { StatementComparison } from './compare-statements.js';
export { type ContentEmbedding, loadCachedEmbeddings } from './embedding-statements.js';
export { addVectors, findWithoutVector, loadContents } from './missing-vectors.js';
export {
  type AppliedBatch,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  type WriteCounts,
  type WriteDependencies,
  writeMemories,
} from './write-memories.js';
export {
  findComparedNeighbours,
  findNeighbours,
  type NeighbourQuery,
  type NeighbourSearchResult,
} from './neighbours.js';
export { getMemory, getMemoryHistory, listMemories, type ListScope } from './read-memories.js';
export {
  loadReconciliations,
  type PastReconciliation,
  type Reconciliation,
  storeReconciliation,
} from './reconciliations.js';

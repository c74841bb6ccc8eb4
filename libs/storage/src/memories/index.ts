export type { StatementComparison } from './compare-statements.js';
export { loadCachedEmbeddings, type ContentEmbedding } from './embedding-statements.js';
export { addVectors, findWithoutVector, loadContents } from './missing-vectors.js';
export type { AppliedBatch, WriteCounts } from './finish-batch.js';
export {
  findComparedNeighbours,
  findNeighbours,
  type NeighbourSearchResult,
  type NeighbourQuery,
} from './neighbours.js';
export { getMemory, getMemoryHistory, listMemories, type ListScope } from './read-memories.js';
export {
  loadReconciliations,
  storeReconciliation,
  type PastReconciliation,
  type Reconciliation,
} from './reconciliations.js';
export {
  writeMemories,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  type WriteDependencies,
} from './write-memories.js';

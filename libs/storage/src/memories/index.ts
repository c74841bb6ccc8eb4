export { type ContentEmbedding, loadCachedEmbeddings } from './embedding-statements.js';
export { addVectors, findWithoutVector, loadContents } from './missing-vectors.js';
export {
  type AppliedBatch,
  type MemoryWriteCommand,
  type MemoryWriteDecision,
  type MemoryWriteResult,
  type WriteCounts,
  type WriteDependencies,
  writeMemories,
} from './write-memories.js';
export {
  EDGE_TYPE,
  findNeighbours,
  linkToNeighbours,
  MAX_EDGES,
  type Neighbour,
  type NeighbourQuery,
  type NeighbourSearchResult,
} from './neighbours.js';
export { getMemory, getMemoryHistory, listMemories, type ListScope } from './read-memories.js';
export {
  loadReconciliations,
  type PastReconciliation,
  type Reconciliation,
  type StoredDecision,
  storeReconciliation,
} from './reconciliations.js';

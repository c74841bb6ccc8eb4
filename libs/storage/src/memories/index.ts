export { loadCachedEmbeddings, type ContentEmbedding } from './embedding-statements.js';
export { addVectors, findWithoutVector, loadContents } from './missing-vectors.js';
export type { AppliedBatch, WriteCounts } from './finish-batch.js';
export {
  EDGE_TYPE,
  findNeighbours,
  linkToNeighbours,
  MOST_EDGES,
  type Neighbour,
  type Neighbourhood,
  type NeighbourQuery,
} from './neighbours.js';
export { getMemory, getMemoryHistory, listMemories, type ListScope } from './read-memories.js';
export {
  loadReconciliations,
  storeReconciliation,
  type PastReconciliation,
  type Reconciliation,
  type StoredDecision,
} from './reconciliations.js';
export {
  writeMemories,
  type Decided,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  type WriteDependencies,
} from './write-memories.js';

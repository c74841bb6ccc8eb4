export { loadCachedEmbeddings, type ContentEmbedding } from './embedding-statements.js';
export type { EmbeddingUsage } from './finish-batch.js';
export { readChain } from './read-chain.js';
export { getMemory, getMemoryHistory, listMemories, type ListScope } from './read-memories.js';
export {
  writeMemories,
  type AppliedBatch,
  type MemoryWriteCommand,
  type MemoryWriteResult,
  type WriteCounts,
  type WriteDependencies,
} from './write-memories.js';

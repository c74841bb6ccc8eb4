export { claimBatch, releaseBatch, renewLease, type Claim, type ClaimRequest } from './claim-batch.js';
export { completeExtraction, loadExtraction, type ExtractionResult } from './complete-extraction.js';
export {
  countDeferredBatches,
  deferBatch,
  readDeferredBatchStats,
  wakeDeferredBatches,
  wakeBatchesAfterBudgetChange,
  type DeferredBatchStats,
  type Deferral,
} from './defer-batch.js';
export { failBatch, replayBatch } from './fail-and-replay.js';
export { readBatchRevisions, getBatches, isBatchOfAgent } from './get-batches.js';
export { listBatches } from './list-batches.js';
export { loadBatchConversation, type StoredTurn } from './load-batch-conversation.js';

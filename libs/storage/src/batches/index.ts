export { type Claim, claimBatch, type ClaimRequest, releaseBatch, renewLease } from './claim-batch.js';
export { completeExtraction, type ExtractionResult, loadExtraction } from './complete-extraction.js';
export {
  countDeferredBatches,
  deferBatch,
  type Deferral,
  type DeferredBatchStats,
  readDeferredBatchStats,
  wakeBatchesAfterBudgetChange,
  wakeDeferredBatches,
} from './defer-batch.js';
export { failBatch, replayBatch } from './fail-and-replay.js';
export { getBatches, isBatchOfAgent, listBatches, readBatchRevisions } from './read-batches.js';
export { loadBatchConversation, type StoredTurn } from './load-batch-conversation.js';

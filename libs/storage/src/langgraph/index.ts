export { readLangGraphHistory } from './langgraph-history.js';
export { copyLangGraphThread, deleteLangGraphThreads, listLangGraphThreads } from './langgraph-threads.js';
export { type LangGraphPruneCursor, pruneLangGraphThreads, pruneOldLangGraphCheckpoints } from './prune-langgraph.js';
export { loadLangGraphCheckpoint, searchLangGraphCheckpoints } from './read-langgraph-checkpoints.js';
export { type LangGraphBatch, RefusedDeltaError, saveLangGraphBatch } from './save-langgraph-batch.js';
export { type CheckpointHead, saveCheckpointDelta, saveCheckpointState } from './save-langgraph-checkpoint.js';
export { saveLangGraphWrites } from './save-langgraph-writes.js';
export { parseVersion } from './version.js';
export type { Creation } from './namespaces.js';

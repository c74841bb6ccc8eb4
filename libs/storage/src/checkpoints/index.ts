export { deleteCheckpoint, type DeleteCheckpointResult } from './delete-checkpoint.js';
export { listCheckpoints } from './list-checkpoints.js';
export { loadCheckpoint, type LoadedCheckpoint } from './load-checkpoint.js';
export { pruneCheckpoints, type PruneCursor } from './prune-checkpoints.js';
export { saveCheckpoint, type SaveCheckpointInput, type SaveCheckpointResult } from './save-checkpoint.js';

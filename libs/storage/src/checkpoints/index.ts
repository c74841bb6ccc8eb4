export { deleteCheckpoint, type CheckpointDeletion } from './delete-checkpoint.js';
export { listCheckpoints } from './list-checkpoints.js';
export { loadCheckpoint, type LoadedCheckpoint } from './load-checkpoint.js';
export { pruneCheckpoints, type PruneCursor } from './prune-checkpoints.js';
export { saveCheckpoint, type CheckpointSave, type CheckpointSaved } from './save-checkpoint.js';

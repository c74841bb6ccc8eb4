export { deleteCheckpoint, pruneCheckpoints, type PruneCursor } from './delete-checkpoints.js';
export { listCheckpoints, loadCheckpoint, type LoadedCheckpoint } from './read-checkpoint.js';
export { saveCheckpoint } from './save-checkpoint.js';

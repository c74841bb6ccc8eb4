export {
  deleteCheckpoint,
  type DeleteCheckpointResult,
  pruneCheckpoints,
  type PruneCursor,
} from './delete-checkpoints.js';
export { listCheckpoints, loadCheckpoint, type LoadedCheckpoint } from './read-checkpoint.js';
export { saveCheckpoint, type SaveCheckpointInput, type SaveCheckpointResult } from './save-checkpoint.js';

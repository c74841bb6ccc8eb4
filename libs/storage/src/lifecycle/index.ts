export { expireMemories, type Expired, type ExpiryRule, findExpired, reviveMemories } from './expire-memories.js';
export { type DueMemory, WALK_START, type WalkPosition, type WalkStep } from './walk.js';
export { findPurgeable, PURGE_START, type PurgePosition, purgeMemories } from './purge-memories.js';
export { type MemoryAccess, recordAccess, type UnnotedAccess } from './record-access.js';
export {
  finishMaintenance,
  leaseMaintenance,
  type LeasedMaintenance,
  type MaintenanceStanding,
  readMaintenance,
  renewMaintenance,
} from './maintenance-jobs.js';

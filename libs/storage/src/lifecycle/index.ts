export {
  expireMemories,
  type ExpiryResult,
  type ExpiryRule,
  findExpired,
  restoreExpiredMemories,
} from './expire-memories.js';
export { type DueMemory, SCAN_START, type ScanPosition, type ScanStep } from './memory-scan.js';
export { findPurgeable, PURGE_START, type PurgePosition, purgeMemories } from './purge-memories.js';
export { type MemoryAccess, recordAccess, type UnrecordedAccess } from './record-access.js';
export {
  finishMaintenanceJob,
  leaseMaintenanceJob,
  type LeasedMaintenanceJob,
  type MaintenanceStatus,
  readMaintenanceStatus,
  renewMaintenanceLease,
} from './maintenance-jobs.js';

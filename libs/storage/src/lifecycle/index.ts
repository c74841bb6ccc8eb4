export {
  finishMaintenance,
  leaseMaintenance,
  type LeasedMaintenance,
  type MaintenanceStanding,
  readMaintenance,
  renewMaintenance,
} from './maintenance-jobs.js';

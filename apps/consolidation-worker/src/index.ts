export {
  CONSOLIDATION_WORKER_FRAGMENTS,
  ConsolidationWorkerModule,
  type ConsolidationWorkerOptions,
} from './consolidation-worker.module.js';

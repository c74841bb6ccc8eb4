export {
  countRecentBatchOutcomes,
  type LeasedEntry,
  type OutboxEntry,
  PostgresOutboxStore,
  readOutboxDepth,
} from './postgres-outbox-store.js';

export { readOutboxDepth, countRecentBatchOutcomes } from './outbox-stats.js';
export { PostgresOutboxStore, type LeasedEntry, type OutboxEntry } from './postgres-outbox-store.js';

export { outboxDepth, recentBatchOutcomes } from './outbox-figures.js';
export { PostgresOutboxStore, type LeasedEntry, type OutboxEntry } from './postgres-outbox-store.js';

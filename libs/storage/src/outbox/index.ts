export { outboxDepth, recentBatchOutcomes } from './outbox-figures.js';
export { PostgresOutboxStore, type OutboxEntry } from './postgres-outbox-store.js';

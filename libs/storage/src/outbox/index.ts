export { outboxDepth, recentBatchOutcomes } from './outbox-figures.js';
export { PostgresOutboxStore, type LeasedEntry, type OutboxEntry } from './postgres-outbox-store.js';
export { INTERACTIVE_HEAD_START_MS } from './rank-at.js';

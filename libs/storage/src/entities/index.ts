/**
 * The tables. Every class exported here is one, so the namespace is what a DataSource takes. Properties have the names of
 * the columns and the types that the driver returns, so `Pick` of an entity is the type of a row that a statement
 * selects: bigint and numeric are strings, timestamptz is a Date, jsonb is parsed, bytea is a Buffer. A `date` is a
 * string: statements select it as text (`day::text`).
 */
export * from './api-key.entity.js';
export * from './app.entity.js';
export * from './batch.entity.js';
export * from './budget.entity.js';
export * from './change-log.entity.js';
export * from './checkpoint.entity.js';
export * from './consolidation.entity.js';
export * from './conversation.entity.js';
export * from './deletion.entity.js';
export * from './energy.entity.js';
export * from './event.entity.js';
export * from './file-scrub.entity.js';
export * from './history.entity.js';
export * from './idempotency-key.entity.js';
export * from './insight.entity.js';
export * from './langgraph.entity.js';
export * from './langgraph-store.entity.js';
export * from './ledger.entity.js';
export * from './lexical-index.entity.js';
export * from './maintenance-job.entity.js';
export * from './memory.entity.js';
export * from './message.entity.js';
export * from './mind.entity.js';
export * from './model-answer.entity.js';
export * from './summary.entity.js';
export * from './tenant.entity.js';
export * from './user-context.entity.js';
export * from './user.entity.js';
export * from './webhook.entity.js';
export * from './work.entity.js';
export * from './dry-run.entity.js';
export * from './vault.entity.js';

export { Database, type DatabaseObserver } from './database/database.js';
export type { PgConnection } from './database/connection.js';
export { InvalidCursorError } from './database/cursor.js';
export { type DatabaseInspection, inspectDatabase } from './database/inspect-database.js';
export { allOf, NO_TENANT, type Row, type Tx } from './database/transaction.js';
export {
  DatabaseUnavailableError,
  FOREIGN_KEY_VIOLATION,
  isTransientDatabaseError,
  sqlState,
  UNIQUE_VIOLATION,
} from './database/errors.js';
export { migrate, type MigrationOptions } from './migrate.js';

export * from './audit/index.js';
export * from './batches/index.js';
export * from './budgets/index.js';
export * from './checkpoints/index.js';
export * from './context/index.js';
export * from './conversations/index.js';
export * from './embedded/index.js';
export * from './idempotency/index.js';
export * from './keys/index.js';
export * from './ledger/index.js';
export * from './lexical/index.js';
export * from './lifecycle/index.js';
export * from './memories/index.js';
export * from './outbox/index.js';
export * from './privacy/index.js';
export * from './query/index.js';
export * from './relations/index.js';
export * from './delta/index.js';
export * from './events/index.js';
export * from './tenants/index.js';

export { Database, type DatabaseObserver } from './database/database.js';
export type { PgConnection } from './database/connection.js';
export { allOf, type Row, type Tx } from './database/transaction.js';
export { DatabaseUnavailableError, isTransientDatabaseError, sqlState } from './database/errors.js';
export { migrate, type MigrationOptions } from './migrate.js';

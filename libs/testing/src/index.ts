export { startPrivatePostgres, startPrivateRedis, type PrivateServer } from './services/private-server.js';
export { createTestDatabase } from './database/create-test-database.js';
export type { TestDatabase, TestDatabaseAddress, TestProfile } from './database/test-database.js';
export { startTestDatabases, type TestDatabases, type TestDatabasesOptions } from './database/start-test-databases.js';
export { waitUntil, WaitTimeoutError, type WaitOptions } from './waiting/wait-until.js';

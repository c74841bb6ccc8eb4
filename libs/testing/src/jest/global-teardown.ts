import { stopTestDatabases } from './running-databases.js';

export default async function tearDown(): Promise<void> {
  await stopTestDatabases();
}

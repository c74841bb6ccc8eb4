import type { TestDatabases } from '../database/start-test-databases.js';

let running: TestDatabases | undefined;

/** Keeps what the global setup started for the global teardown, which runs in the same process. */
export function keepTestDatabases(databases: TestDatabases): void {
  running = databases;
}

export async function stopTestDatabases(): Promise<void> {
  await running?.stop();
  running = undefined;
}

import { askControlChannel } from './control-channel.js';
import type { DatabaseQuestion } from './start-test-databases.js';
import type { TestDatabase, TestDatabaseAddress } from './test-database.js';

/** Set by the global setup of a test run: the port of its {@link startTestDatabases}. */
export const TEST_DATABASES_PORT = 'ANNALS_TEST_DATABASES_PORT';

/**
 * A fresh, migrated database that no one else uses, for one spec file: create it in `beforeAll`, drop it in `afterAll`.
 * Several at once are fine.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const port = Number(process.env[TEST_DATABASES_PORT]);
  if (!port) throw new Error('There is no test database: run specs with the jest configuration at the root.');
  const ask = (question: DatabaseQuestion): Promise<unknown> => askControlChannel(port, question);
  const address = (await ask({ ask: 'create', ...whoAsks() })) as TestDatabaseAddress;
  return {
    ...address,
    drop: async () => {
      await ask({ ask: 'drop', name: address.name });
    },
  };
}

function whoAsks(): { holder: string; file: string } {
  const { expect } = globalThis as { expect?: { getState(): { testPath?: string } } };
  return { holder: String(process.pid), file: expect?.getState().testPath ?? '' };
}

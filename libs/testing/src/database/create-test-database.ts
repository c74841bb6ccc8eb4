import { cp } from 'node:fs/promises';
import { callControlChannel } from './control-channel.js';
import type { DatabaseRequest } from './start-test-databases.js';
import type { TestDatabase, TestDatabaseAddress } from './test-database.js';

/** Set by the global setup of a test run: the port of its {@link startTestDatabases}. */
export const TEST_DATABASES_PORT = 'ANNALS_TEST_DATABASES_PORT';

/** Of connections that are opened without an ANNALS_SECRET_KEY. */
const CHAIN_KEY = Buffer.alloc(32, 5);

/**
 * A fresh, migrated database that no one else uses, for one spec file: create it in `beforeAll`, drop it in `afterAll`.
 * A file may create several.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const address = (await requestDatabase({ action: 'create', ...describeRequester() })) as TestDatabaseAddress;
  return {
    ...address,
    app: { ...address.app, chainKey: CHAIN_KEY },
    drop: async () => {
      await requestDatabase({ action: 'drop', name: address.name });
    },
  };
}

/** Fills an empty folder with a migrated embedded database, which saves a process the 4 s of creating one. */
export async function fillDataFolder(folder: string): Promise<void> {
  const template = (await requestDatabase({ action: 'dataFolder' })) as string;
  await cp(template, folder, { recursive: true });
}

async function requestDatabase(request: DatabaseRequest): Promise<unknown> {
  const port = Number(process.env[TEST_DATABASES_PORT]);
  if (!port) throw new Error('There is no test database: run specs with "npm test".');
  return callControlChannel(port, request);
}

function describeRequester(): { holder: string; file: string } {
  const { expect } = globalThis as { expect?: { getState(): { testPath?: string } } };
  return { holder: String(process.pid), file: expect?.getState().testPath ?? '' };
}

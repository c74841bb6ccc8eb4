import { SystemClock } from '@annals/domain';
import { openEmbeddedDatabase } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectDataFolder, inspectDatabaseServer } from './check-database.js';

describe('inspectDatabaseServer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const inspect = (url: string) => inspectDatabaseServer({ database: { url, poolSize: 1 } }, new SystemClock());

  it('passes a migrated database with the role of the services', async () => {
    const findings = await inspect(database.app.url);
    expect(findings.map(({ check }) => check)).toEqual([
      'database',
      'database.role',
      'database.schema',
      'database.writes',
      'database.connections',
      'database.clock',
    ]);
    expect(findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it('warns about a superuser', async () => {
    expect(await inspect(database.admin.url)).toContainEqual(
      expect.objectContaining({ check: 'database.role', verdict: 'warn' }),
    );
  });

  it('reports that no server answers, without the address', async () => {
    const findings = await inspect('postgres://bob:hush@127.0.0.1:1/annals');
    expect(findings).toMatchObject([{ check: 'database', verdict: 'fail' }]);
    expect(JSON.stringify(findings)).not.toMatch(/bob|hush/);
  });
});

describe('inspectDataFolder', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'annals-doctor-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const inspect = async () => {
    const dataDir = join(folder, 'data');
    return inspectDataFolder(
      {
        embedded: {
          dataDir,
          bootstrapKey: undefined,
          secretKey: undefined,
          pseudonymKey: undefined,
          acceptedKeys: undefined,
          chainKey: undefined,
          deletionsFile: undefined,
        },
      },
      { model: 'hashed', isOffline: false },
    );
  };

  it('does not create a folder, does not open one in use, and opens one that is free', async () => {
    expect(await inspect()).toMatchObject([
      { verdict: 'ok', found: expect.stringContaining('will be created at the first start') },
    ]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const running = await openEmbeddedDatabase({ location: { folder: join(folder, 'data') } });
    expect(await inspect()).toMatchObject([{ verdict: 'ok', found: expect.stringContaining('in use') }]);
    await running.close();
    expect(await inspect()).toMatchObject([
      { verdict: 'ok', found: expect.stringContaining('brings its schema up to date') },
    ]);
  });
});

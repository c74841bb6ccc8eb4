import { ManualClock, SeededRng, SystemClock, UuidV7Generator } from '@annals/domain';
import { appendHistory, createTenant, Database, openEmbeddedDatabase } from '@annals/storage';
import { createTestDatabase, fillDataFolder, type TestDatabase } from '@annals/testing';
import { randomBytes } from 'node:crypto';
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

  const inspect = (url: string) =>
    inspectDatabaseServer({ database: { url, poolSize: 1, prepared: true } }, new SystemClock());

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

  const inspect = (dataDir = join(folder, 'data')) =>
    inspectDataFolder(
      {
        embedded: {
          dataDir,
          consoleLink: true,
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

  it('says that the data folder has lost the key of its histories', async () => {
    const lost = join(folder, 'lost');
    await fillDataFolder(lost);
    const opened = await openEmbeddedDatabase({ location: { folder: lost } });
    const database = await Database.open({
      stream: opened.createStream,
      role: 'annals_app',
      chainKey: Buffer.alloc(32, 1),
    });
    const [clock, rng] = [new ManualClock(0), new SeededRng(1)];
    const ids = new UuidV7Generator(clock, rng);
    const tenantId = ids.next();
    await createTenant(database, { id: tenantId, name: 'acme', now: 0 });
    const rows = [{ memoryId: null, event: 'CONSENT', oldRef: null, newRef: null, content: 'x', meta: {} }] as const;
    await database.inTenant(tenantId, (tx) =>
      appendHistory(tx, { userId: 'ada', actor: 'test', rows }, { clock, ids, randomBytes }),
    );
    await database.close();
    await opened.close();
    expect(await inspect(lost)).toContainEqual(
      expect.objectContaining({
        check: 'secrets.history',
        verdict: 'fail',
        found: expect.stringContaining('no secret.key'),
      }),
    );
  });

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

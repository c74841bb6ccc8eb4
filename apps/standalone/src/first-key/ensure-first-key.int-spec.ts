import { ManualClock, UuidV7Generator } from '@annals/domain';
import { Database, findApiKey, hashApiKey, revokeApiKey } from '@annals/storage';
import { createTestDatabase, type TestDatabase } from '@annals/testing';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFirstKey } from './ensure-first-key.js';

const ALL_SCOPES = ['ingest', 'query', 'admin'];

describe('ensureFirstKey', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const ids = new UuidV7Generator(clock);
  let testDatabase: TestDatabase;
  let database: Database;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await Database.open(testDatabase.app);
    folder = mkdtempSync(join(tmpdir(), 'annals-first-key-'));
    file = join(folder, 'bootstrap-key');
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
    rmSync(folder, { recursive: true });
  });

  const start = (given?: string) => ensureFirstKey({ database, clock, ids }, given, file);
  const grantOf = (text: string) => findApiKey(database, hashApiKey(text));
  const storedKey = () => readFileSync(file, 'utf8').trim();
  const revoke = async (text: string) => {
    const { tenantId, keyId } = (await grantOf(text))!;
    await database.inTenant(tenantId!, (tx) => revokeApiKey(tx, keyId, clock.now()));
  };

  it('creates a random key with all scopes at the first start, in a file that only its owner can read', async () => {
    const key = await start();
    expect(key).toEqual({ from: 'new', file, text: storedKey() });
    expect(await grantOf(storedKey())).toMatchObject({ scopes: ALL_SCOPES, operator: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('neither shows the key again nor creates another one at the second start', async () => {
    const text = storedKey();
    expect(await start()).toEqual({ from: 'file', file });
    expect(storedKey()).toBe(text);
  });

  it('leaves a revoked key revoked', async () => {
    await revoke(storedKey());
    await start();
    expect(await grantOf(storedKey())).toBeNull();
  });

  it('makes the key of the environment valid at every start, even when it was revoked', async () => {
    const given = 'ann_given-by-whoever-starts-it';
    expect(await start(given)).toEqual({ from: 'environment' });
    await revoke(given);
    await start(given);
    expect(await grantOf(given)).toMatchObject({ scopes: ALL_SCOPES, operator: true });
  });

  it('does not write the key of the environment to a file', async () => {
    const other = await createTestDatabase();
    const empty = await Database.open(other.app);
    const untouched = join(folder, 'untouched');
    await ensureFirstKey({ database: empty, clock, ids }, 'ann_given-by-whoever-starts-it', untouched);
    expect(existsSync(untouched)).toBe(false);
    await empty.close();
    await other.drop();
  });

  it('makes the key of the file valid again in a new database', async () => {
    const other = await createTestDatabase();
    const empty = await Database.open(other.app);
    expect(await ensureFirstKey({ database: empty, clock, ids }, undefined, file)).toEqual({ from: 'file', file });
    expect(await findApiKey(empty, hashApiKey(storedKey()))).toMatchObject({ operator: true });
    await empty.close();
    await other.drop();
  });
});

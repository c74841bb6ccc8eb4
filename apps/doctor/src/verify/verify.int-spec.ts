import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { deriveSecrets } from '@annals/runtime';
import { appendHistory, createTenant, Database, eraseUser, openEmbeddedDatabase, type Tx } from '@annals/storage';
import { createTestDatabase, createTestPool, fillDataFolder, type TestDatabase } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Finding } from '../report.js';
import { renderVerificationSummary, runVerify, type VerifyOptions } from './verify.js';

const SECRET_KEY = 'a-secret-key-of-at-least-32-characters';
const CHAIN_KEY = deriveSecrets({ secretKey: SECRET_KEY }).chain;
const clock = new ManualClock(Date.UTC(2026, 0, 5));
const ids = new UuidV7Generator(clock, new SeededRng(5));
const dependencies = { clock, ids, randomBytes };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'annals-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(env: Record<string, string>, request: Partial<VerifyOptions['request']> = {}) {
  const emitted: Finding[] = [];
  const all = { tenant: null, exportHeads: null, against: null, receipt: null, ...request };
  const verification = await runVerify({ env, request: all, clock, emit: (finding) => emitted.push(finding) });
  expect(emitted).toEqual(verification.findings);
  return verification;
}

const write = (tx: Tx, userId: string, ...contents: string[]) =>
  appendHistory(
    tx,
    {
      userId,
      actor: 'test',
      rows: contents.map((content) => ({
        memoryId: null,
        event: 'ADD',
        oldRef: null,
        newRef: null,
        content,
        meta: {},
      })),
    },
    dependencies,
  );

describe('annals verify on a server', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let superuser: pg.Pool;
  let env: Record<string, string>;
  let tenantId: string;
  let names = 0;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await Database.open({ ...testDatabase.app, chainKey: CHAIN_KEY });
    superuser = createTestPool({
      connectionString: testDatabase.admin.url,
      options: '-c search_path=annals,public',
      max: 1,
    });
    env = { ANNALS_DATABASE_URL: testDatabase.admin.url, ANNALS_SECRET_KEY: SECRET_KEY };
  });
  beforeEach(async () => {
    tenantId = ids.next();
    await superuser.query('TRUNCATE tenants, users, history, erasure_receipts CASCADE');
    await createTenant(database, { id: tenantId, name: 'acme', now: clock.now() });
    await database.inTenant(tenantId, (tx) => write(tx, 'ada', 'one', 'two', 'three'));
    await database.inTenant(tenantId, (tx) => write(tx, 'bob', 'one'));
  });
  afterAll(async () => {
    await superuser.end();
    await database.close();
    await testDatabase.drop();
  });

  const fileOf = (name: string) => join(folder, `${name}-${(names += 1)}`);

  it('finds no inconsistencies in an unchanged history', async () => {
    const verification = await verify(env);
    expect(verification).toEqual({
      counts: { tenants: 1, users: 2, rows: 4, receipts: 0, memories: 0 },
      findings: [],
      faults: 0,
      exitCode: 0,
    });
    expect(renderVerificationSummary(verification)).toBe(
      '2 users, 4 rows of history, 0 memories and 0 receipts in 1 tenant: no inconsistencies found.',
    );
  });

  it('names a row that was changed in one sentence, and exits with 1', async () => {
    await superuser.query(`UPDATE history SET actor = 'eve' WHERE user_id = 'ada' AND seq = 2`);
    const { findings, exitCode } = await verify(env);
    expect([exitCode, findings]).toEqual([
      1,
      [
        {
          check: 'audit.wrong_hash',
          verdict: 'fail',
          found: `A field of row 2 of user "ada" in tenant ${tenantId} was changed after it was written.`,
          advice: expect.any(String),
        },
      ],
    ]);
  });

  it('names a memory that somebody inserted into the database', async () => {
    const id = ids.next();
    await superuser.query(
      `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
         importance, confidence, valid_from, recorded_at, updated_at)
       VALUES ($1, $2, 'ada', 'profile', 'semantic', 'lies', 'x', '1', 'active', 'manual', 3, 1, now(), now(), now())`,
      [tenantId, id],
    );
    expect(await verify(env)).toMatchObject({
      exitCode: 1,
      counts: { memories: 1 },
      findings: [
        {
          check: 'audit.memory_inserted',
          found: `There is no history of memory ${id} of user "ada" in tenant ${tenantId}.`,
        },
      ],
    });
  });

  it('reports each user when the key is another one', async () => {
    const { findings, exitCode } = await verify({ ...env, ANNALS_SECRET_KEY: `${SECRET_KEY}.` });
    expect(exitCode).toBe(1);
    expect(findings.map(({ check }) => check)).toEqual(['audit.wrong_pseudonym', 'audit.wrong_pseudonym']);
    expect(findings[0]!.advice).toMatch(/ANNALS_SECRET_KEY/);
  });

  it('verifies one tenant by its name', async () => {
    const other = ids.next();
    await createTenant(database, { id: other, name: 'other', now: clock.now() });
    await superuser.query(`UPDATE history SET actor = 'eve' WHERE user_id = 'ada' AND seq = 2`);
    expect((await verify(env, { tenant: 'other' })).exitCode).toBe(0);
    expect((await verify(env, { tenant: 'acme' })).exitCode).toBe(1);
    expect(await verify(env, { tenant: 'nobody' })).toMatchObject({
      exitCode: 69,
      findings: [{ found: 'There is no tenant "nobody".' }],
    });
  });

  it('detects a completely rewritten history by heads that were exported before', async () => {
    const file = fileOf('heads');
    expect(await verify(env, { exportHeads: file })).toMatchObject({
      exitCode: 0,
      findings: [{ check: 'audit.heads' }],
    });
    await database.inTenant(tenantId, (tx) => write(tx, 'ada', 'four'));
    expect((await verify(env, { against: file })).exitCode).toBe(0);
    await superuser.query(`DELETE FROM history WHERE user_id = 'ada'`);
    await superuser.query(`UPDATE users SET chain_seq = 0, chain_head = NULL WHERE user_id = 'ada'`);
    await database.inTenant(tenantId, (tx) => write(tx, 'ada', 'other', 'other', 'other'));
    expect((await verify(env)).exitCode).toBe(0);
    const { exitCode, findings } = await verify(env, { against: file });
    expect([exitCode, findings[0]!.found]).toEqual([
      1,
      `The hash of row 3 of user "ada" in tenant ${tenantId} is not the one in the exported heads: the history was rewritten.`,
    ]);
  });

  it('rejects a heads file that was changed or signed by another installation, and overwrites none', async () => {
    const file = fileOf('heads');
    await verify(env, { exportHeads: file });
    expect(await verify(env, { exportHeads: file })).toMatchObject({ exitCode: 69 });
    const text = readFileSync(file, 'utf8');
    expect(text.split('\n')).toHaveLength(5);
    for (const changed of [text.replace('"seq":3', '"seq":2'), text.replace(/\{"tenant.*\n/, ''), 'nonsense']) {
      const other = fileOf('changed');
      writeFileSync(other, changed);
      expect((await verify(env, { against: other })).exitCode).toBe(69);
    }
    const otherKey = { ...env, ANNALS_SECRET_KEY: `${SECRET_KEY}.` };
    expect(await verify(otherKey, { against: file })).toMatchObject({ exitCode: 69 });
    expect(await verify(env, { against: fileOf('missing') })).toMatchObject({ exitCode: 69 });
  });

  it('exports no heads of a history with inconsistencies', async () => {
    await superuser.query(`UPDATE history SET content = 'lies' WHERE user_id = 'ada' AND seq = 2`);
    const file = fileOf('heads');
    expect((await verify(env, { exportHeads: file })).exitCode).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('accepts a valid receipt of an erasure, and rejects a changed one', async () => {
    const key = deriveSecrets({ secretKey: SECRET_KEY }).audit;
    const erasure = await database.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId: 'ada', actor: 'test', key }, dependencies),
    );
    const { receipt } = erasure!;
    expect(await verify(env)).toMatchObject({ exitCode: 0, counts: { receipts: 1 } });
    const file = fileOf('receipt');
    writeFileSync(file, JSON.stringify(receipt));
    expect(await verify(env, { receipt: file })).toMatchObject({
      exitCode: 0,
      counts: null,
      findings: [{ verdict: 'ok', found: expect.stringContaining('was erased at 2026-01-05T00:00:00.000Z') }],
    });
    const rotated = { ...env, ANNALS_SECRET_KEY: `${SECRET_KEY}.`, ANNALS_CHAIN_KEY: SECRET_KEY };
    const accepting = { ...rotated, ANNALS_SECRET_KEY_ACCEPTED: `${'k'.repeat(32)} ${SECRET_KEY}` };
    expect(await verify(accepting, { receipt: file })).toMatchObject({ exitCode: 0 });
    expect(await verify(accepting)).toMatchObject({ exitCode: 0, counts: { receipts: 1 } });
    expect((await verify(rotated)).findings).toMatchObject([{ check: 'audit.forged_receipt' }]);
    writeFileSync(file, JSON.stringify({ ...receipt, user_id: 'bob' }));
    expect(await verify(env, { receipt: file })).toMatchObject({
      exitCode: 1,
      findings: [{ check: 'audit.forged_receipt' }],
    });
    writeFileSync(file, '{}');
    expect(await verify(env, { receipt: file })).toMatchObject({ exitCode: 69 });
  });

  it('reports a thousand faults one by one, and the number of the others', async () => {
    await database.inTenant(tenantId, (tx) => write(tx, 'cat', ...Array.from({ length: 1_200 }, () => 'words')));
    await superuser.query(`UPDATE history SET content = 'lies' WHERE user_id = 'cat'`);
    const { findings, faults } = await verify(env);
    expect([faults, findings.length, findings.at(-1)!.found]).toEqual([
      1_200,
      1_001,
      '200 more inconsistencies were found.',
    ]);
  });

  it('reports why the database cannot be opened', async () => {
    const unreachable = { ...env, ANNALS_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/nothing' };
    const verification = await verify(unreachable);
    expect(verification).toMatchObject({
      exitCode: 69,
      findings: [{ found: expect.stringMatching(/does not answer/) }],
    });
    expect(renderVerificationSummary(verification)).toBe('Nothing was verified.');
    expect((await verify({ ANNALS_DATABASE_URL: testDatabase.admin.url })).exitCode).toBe(78);
  });

  it.each([
    ['the schema', 'ALTER SCHEMA annals RENAME TO away', 'ALTER SCHEMA away RENAME TO annals'],
    [
      'a function',
      'ALTER FUNCTION annals.list_tenants RENAME TO away',
      'ALTER FUNCTION annals.away RENAME TO list_tenants',
    ],
    [
      'a column',
      'ALTER TABLE annals.history RENAME version TO away',
      'ALTER TABLE annals.history RENAME away TO version',
    ],
    ['a table', 'ALTER TABLE annals.users RENAME TO away', 'ALTER TABLE annals.away RENAME TO users'],
  ])('advises to migrate when %s is missing', async (_, hide, restore) => {
    await superuser.query(hide);
    const verification = await verify(env).finally(() => superuser.query(restore));
    expect(verification).toMatchObject({
      exitCode: 69,
      findings: [{ found: 'The schema is older than this version.', advice: 'Run the migration, then verify.' }],
    });
  });
});

describe('annals verify in a folder', () => {
  it('uses the key that the first start generated, and does not open a folder that is in use', async () => {
    const dataDir = join(folder, 'data');
    const env = { ANNALS_DATA_DIR: dataDir };
    expect(await verify(env)).toMatchObject({
      exitCode: 69,
      findings: [{ found: expect.stringMatching(/no database/) }],
    });
    await fillDataFolder(dataDir);
    const opened = await openEmbeddedDatabase({ location: { folder: dataDir } });
    const database = await Database.open({
      stream: opened.createStream,
      role: 'annals_app',
      chainKey: CHAIN_KEY,
    });
    const tenantId = ids.next();
    await createTenant(database, { id: tenantId, name: 'default', now: clock.now() });
    await database.inTenant(tenantId, (tx) => write(tx, 'ada', 'one', 'two'));
    writeFileSync(join(dataDir, 'secret.key'), `${SECRET_KEY}\n`);
    expect(await verify(env)).toMatchObject({ exitCode: 69, findings: [{ found: expect.stringMatching(/in use/) }] });
    await database.close();
    await opened.close();
    expect(await verify(env)).toMatchObject({ exitCode: 0, counts: { users: 1, rows: 2 } });
  });
});

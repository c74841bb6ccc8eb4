import { ManualClock, SeededRng, UuidV7Generator } from '@annals/domain';
import { deriveSecrets } from '@annals/runtime';
import { appendHistory, createTenant, Database } from '@annals/storage';
import { createTestDatabase, type FakeModels, startFakeModels, type TestDatabase } from '@annals/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Diagnosis, runDoctor } from './doctor.js';
import type { Finding } from './report.js';

const NOW = Date.UTC(2026, 10, 22);
let fake: FakeModels;
let folder: string;
beforeEach(async () => {
  fake = await startFakeModels({ now: () => NOW });
  folder = mkdtempSync(join(tmpdir(), 'annals-doctor-'));
});
afterEach(async () => {
  await fake.close();
  rmSync(folder, { recursive: true });
});

/** Both providers and the embeddings at the fake server, with keys that must not appear in findings. */
function describeModels(): Record<string, string> {
  return {
    ANNALS_DATA_DIR: join(folder, 'data'),
    MEMORY_LLM_PRIMARY: 'claude',
    MEMORY_LLM_FALLBACKS: 'openai,local',
    MEMORY_LLM_CLAUDE_API_KEY: 'sk-hush-claude',
    MEMORY_LLM_CLAUDE_BASE_URL: fake.anthropicUrl,
    MEMORY_LLM_OPENAI_API_KEY: 'sk-hush-openai',
    MEMORY_LLM_OPENAI_BASE_URL: fake.openaiUrl,
    ANNALS_EMBEDDINGS: 'openai',
    ANNALS_EMBEDDINGS_BASE_URL: fake.openaiUrl,
    ANNALS_EMBEDDINGS_API_KEY: 'sk-hush-vectors',
    ANNALS_EMBEDDINGS_MODEL: 'text-embedding-3-small',
    ANNALS_EMBEDDINGS_DIMENSIONS: '1536',
  };
}

async function diagnose(env: Record<string, string>, isOffline = false): Promise<Diagnosis & { emitted: Finding[] }> {
  const emitted: Finding[] = [];
  const { signal } = new AbortController();
  const clock = new ManualClock(NOW);
  const diagnosis = await runDoctor({ env, isOffline, clock, signal, emit: (finding) => emitted.push(finding) });
  expect(JSON.stringify(diagnosis)).not.toContain('hush');
  return { ...diagnosis, emitted };
}

/** A tenant with as many memories that have a vector of each of these models, `a b` for both, and one that has none. */
async function addVectors(database: Database, name: string, models: Record<string, number>): Promise<void> {
  const [clock, rng] = [new ManualClock(NOW), new SeededRng(name.length)];
  const ids = new UuidV7Generator(clock, rng);
  const tenantId = ids.next();
  await createTenant(database, { id: tenantId, name, now: NOW });
  await database.inTenant(tenantId, async (tx) => {
    const at = new Date(NOW);
    await tx.execute(`INSERT INTO annals.users (user_id, created_at) VALUES ('ada', $1)`, [at]);
    for (const [names, count] of [...Object.entries(models), ['', 1] as const]) {
      for (let n = 0; n < count; n += 1) {
        const id = ids.next();
        await tx.execute(
          `INSERT INTO annals.memories (id, user_id, category, type, content, normalized_hash, hash_version, state,
             origin, importance, confidence, valid_from, recorded_at, updated_at)
           VALUES ($1::uuid, 'ada', 'profile', 'semantic', 'x', $1::text, '1', 'active', 'manual', 3, 0.8, $2, $2, $2)`,
          [id, at],
        );
        for (const model of names.split(' ').filter(Boolean)) {
          await tx.execute(
            `INSERT INTO annals.memory_embeddings (user_id, model, memory_id, content_hash, narrow)
             VALUES ('ada', $1, $2, $3, $4::halfvec)`,
            [model, id, Buffer.from(id), '[1,0]'],
          );
        }
      }
    }
  });
}

const named = ({ findings }: Diagnosis, verdict: string) =>
  findings.filter((finding) => finding.verdict === verdict).map(({ check }) => check);

describe('runDoctor', () => {
  it('passes a fresh checkout, without a key or a server', async () => {
    const { findings, exitCode, spentMicroUsd } = await diagnose({ ANNALS_DATA_DIR: join(folder, 'data') });
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect([exitCode, spentMicroUsd, fake.journal.entries.length]).toEqual([0, 0, 0]);
  });

  it('passes configured providers and reports what it spent', async () => {
    const diagnosis = await diagnose(describeModels());
    expect(diagnosis.findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(diagnosis.emitted).toEqual(diagnosis.findings);
    expect(diagnosis.exitCode).toBe(0);
    const charged = fake.journal.summarize().costNanoUsd / 1_000;
    expect(diagnosis.spentMicroUsd).toBeGreaterThanOrEqual(Math.floor(charged));
    expect(diagnosis.spentMicroUsd).toBeLessThan(charged + 20);
  });

  it('sends nothing to providers when offline', async () => {
    const diagnosis = await diagnose(describeModels(), true);
    expect(named(diagnosis, 'skip')).toEqual(['embeddings', 'claude', 'openai']);
    expect(fake.journal.entries).toEqual([]);
  });

  it('exits with 1 when a key is refused, and sends no corpus to that provider', async () => {
    fake.configure({ keys: ['sk-hush-openai', 'sk-hush-vectors'] });
    const diagnosis = await diagnose(describeModels());
    expect([diagnosis.exitCode, named(diagnosis, 'fail')]).toEqual([1, ['claude.key']]);
    expect(fake.journal.entries.filter(({ request }) => request.api === 'anthropic')).toHaveLength(1);
  });

  it('sends no corpus whose upper bound exceeds the daily budget', async () => {
    const diagnosis = await diagnose({ ...describeModels(), MEMORY_LLM_DAILY_BUDGET_USD: '0.01' });
    expect(named(diagnosis, 'warn')).toContain('claude.corpus');
    expect(fake.journal.summarize().calls).not.toHaveProperty('generate');
  });

  it('detects the structured output of a server, and warns when it supports none', async () => {
    fake.configure({ isCompatible: true, refuses: ['response_format', 'stream_options', 'max_completion_tokens'] });
    const diagnosis = await diagnose(describeModels());
    expect(named(diagnosis, 'warn')).toEqual(['openai.structure']);
  });

  it('exits with 78 and every problem when the configuration is wrong', async () => {
    const diagnosis = await diagnose({ ...describeModels(), MEMORY_LLM_TIMEOUT_MS: 'hush', ANNALS_LOG_LEVEL: 'hush' });
    expect(diagnosis.exitCode).toBe(78);
    expect(diagnosis.findings.map(({ found }) => found.split(' ', 1)[0])).toEqual([
      'MEMORY_LLM_TIMEOUT_MS',
      'ANNALS_LOG_LEVEL',
    ]);
  });

  it('exits with 78 and names line and field when the categories file is wrong', async () => {
    const file = join(folder, 'categories.yaml');
    writeFileSync(file, 'categories:\n  - name: 7\n');
    const diagnosis = await diagnose({ ...describeModels(), ANNALS_CATEGORIES_FILE: file });
    expect(diagnosis.exitCode).toBe(78);
    expect(diagnosis.findings[0]!.found).toMatch(/^ANNALS_CATEGORIES_FILE, line \d/);
    const missing = await diagnose({ ...describeModels(), ANNALS_CATEGORIES_FILE: join(folder, 'none.yaml') });
    expect(missing).toMatchObject({ exitCode: 78, findings: [{ found: expect.stringContaining('can read') }] });
  });

  it('exits with 78 for a model without a price', async () => {
    const diagnosis = await diagnose({ ...describeModels(), MEMORY_LLM_OPENAI_MODEL: 'our-own' });
    expect(diagnosis).toMatchObject({ exitCode: 78, findings: [{ found: expect.stringContaining('with a price') }] });
  });
});

describe('runDoctor for the distributed profile', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('checks PostgreSQL and Redis', async () => {
    const diagnosis = await diagnose({
      ANNALS_DATABASE_URL: database.app.url,
      ANNALS_REDIS_URL: 'redis://127.0.0.1:1',
      ANNALS_SECRET_KEY: 'hush'.repeat(8),
    });
    expect([diagnosis.exitCode, named(diagnosis, 'fail')]).toEqual([1, ['redis']]);
    expect(named(diagnosis, 'ok')).toEqual(expect.arrayContaining(['database', 'database.schema']));
  });

  it('compares the secret key with the histories of users, in which it writes nothing', async () => {
    const [former, other] = ['hush-former-'.repeat(3), 'hush-other-'.repeat(3)];
    const [clock, rng] = [new ManualClock(NOW), new SeededRng(7)];
    const ids = new UuidV7Generator(clock, rng);
    const tenantId = ids.next();
    const writer = await Database.open({
      ...database.app,
      poolSize: 1,
      chainKey: deriveSecrets({ secretKey: former }).chain,
    });
    await createTenant(writer, { id: tenantId, name: 'with a history', now: NOW });
    const rows = [{ memoryId: null, event: 'CONSENT', oldRef: null, newRef: null, content: 'x', meta: {} }] as const;
    await writer.inTenant(tenantId, (tx) =>
      appendHistory(tx, { userId: 'bob', actor: 'test', rows }, { clock, ids, randomBytes }),
    );
    const readUsers = () =>
      writer.readTenant(tenantId, (tx) => tx.query('SELECT users::text FROM annals.users WHERE pseudonym IS NOT NULL'));
    const before = await readUsers();
    const judge = async (keys: Record<string, string>) => {
      const env = { ANNALS_DATABASE_URL: database.app.url, ANNALS_REDIS_URL: 'redis://127.0.0.1:1' };
      const { findings } = await diagnose({ ...env, ...keys }, true);
      return findings.find(({ check }) => check === 'secrets.history');
    };
    expect(await judge({ ANNALS_SECRET_KEY: former })).toMatchObject({ verdict: 'ok' });
    expect(await judge({ ANNALS_SECRET_KEY: other, ANNALS_CHAIN_KEY: former })).toMatchObject({ verdict: 'ok' });
    expect(await judge({ ANNALS_SECRET_KEY: other })).toMatchObject({ verdict: 'fail' });
    expect(await judge({ ANNALS_SECRET_KEY: other, ANNALS_SECRET_KEY_ACCEPTED: former })).toMatchObject({
      verdict: 'fail',
      advice: expect.stringContaining('Set ANNALS_CHAIN_KEY to key 1 of ANNALS_SECRET_KEY_ACCEPTED'),
    });
    expect(await readUsers()).toEqual(before);
    await writer.close();
  });

  it('can limit the time of a statement, as for the count of vectors', async () => {
    const limited = await Database.open({ ...database.app, poolSize: 1, limits: { statementMs: 10_000 } });
    const tenantId = new UuidV7Generator(new ManualClock(NOW), new SeededRng(1)).next();
    const sql = `SELECT current_setting('statement_timeout') AS ends_after`;
    expect(await limited.inTenant(tenantId, (tx) => tx.query(sql))).toEqual([{ ends_after: '10s' }]);
    await limited.close();
  });

  it('counts vectors by model over all tenants, and warns of those that are of another than the configured one', async () => {
    const fixture = await Database.open({ ...database.admin, poolSize: 1 });
    await addVectors(fixture, 'acme', { former: 2, 'text-embedding-3-small-1536': 1 });
    await addVectors(fixture, 'other', { 'earlier former': 1, 'former text-embedding-3-small-1536': 1 });
    await fixture.close();
    const env = { ANNALS_DATABASE_URL: database.app.url, ANNALS_REDIS_URL: 'redis://127.0.0.1:1' };
    const diagnosis = await diagnose({ ...describeModels(), ...env, ANNALS_SECRET_KEY: 'hush'.repeat(8) });
    expect(diagnosis.findings).toContainEqual(
      expect.objectContaining({
        check: 'embeddings.stored',
        verdict: 'warn',
        found: expect.stringMatching(
          /^2 memories have a vector of the configured model text-embedding-3-small-1536, 3 memories have only one of former, 2 memories have none/,
        ),
      }),
    );
  });
});

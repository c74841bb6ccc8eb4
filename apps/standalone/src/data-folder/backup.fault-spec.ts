import {
  ApiClient,
  assertNothingLostOrDuplicated,
  LoadGenerator,
  runAnnals,
  sized,
  type StandaloneSystem,
  startStandalone,
  TEST_SEED,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const WORD = 'quixotrium';
const isBackup = (name: string) => name.startsWith('annals-');

interface Finding {
  readonly check: string;
  readonly found: string;
}

describe('a backup of the embedded database', () => {
  let system: StandaloneSystem;
  let client: ApiClient;
  let backups: string;
  const opened: StandaloneSystem[] = [];

  beforeAll(async () => {
    system = await startStandalone();
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    backups = mkdtempSync(path.join(tmpdir(), 'annals-backups-'));
  });
  afterAll(async () => {
    for (const one of [system, ...opened]) await one?.close();
    for (const folder of [backups, `${backups}-restored`]) rmSync(folder, { recursive: true, force: true });
  });

  const annals = (dataDir: string, ...args: string[]) => runAnnals([...args, '--json'], { ANNALS_DATA_DIR: dataDir });
  const countUnfinished = async (of: ApiClient) => {
    const pages = (['queued', 'extracting', 'persisting'] as const).map((status) =>
      of.must('listBatches', { query: { status } }),
    );
    return (await Promise.all(pages)).flatMap(({ items }) => items).length;
  };
  const findings = (text: string) => (JSON.parse(text) as { findings: Finding[] }).findings;
  const newestBackup = () => path.join(backups, readdirSync(backups).filter(isBackup).toSorted().at(-1)!);
  const deletions = () =>
    readFileSync(path.join(system.dataDir, 'deletions.ndjson'), 'utf8').trim().split('\n').length - 1;

  it('of a running process under load has all that was acknowledged, and forgets again what is deleted afterwards', async () => {
    await client.send('POST', '/v1/memories', {
      body: { user_id: 'ada-1815', content: `The user plays the ${WORD}.`, category: 'profile' },
      headers: { 'idempotency-key': 'memory' },
    });
    const load = new LoadGenerator(client, { seed: TEST_SEED, callers: 3, pauseMs: sized(200, 20) });
    await waitUntil(() => load.batchIds.length > 20, { describe: 'there is something to back up' });
    const acknowledged = [...load.batchIds];
    const backup = await annals(system.dataDir, 'backup', backups);
    expect([backup.code, backup.output]).toEqual([0, expect.stringContaining('Requests waited for')]);
    process.stdout.write(`figure: backup under load: ${findings(backup.output)[0]!.found}\n`);
    const folder = newestBackup();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const mode = statSync(path.join(entry.parentPath, entry.name)).mode & 0o777;
      expect([entry.name, mode]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
    }
    const expected = await load.stop();
    const erasure = await client.send('DELETE', '/v1/users/ada-1815', { headers: { 'idempotency-key': 'erasure' } });
    expect(erasure.status).toBe(200);
    await waitUntil(() => deletions() === 1, { describe: 'the erasure is in the list' });
    await system.process.kill9();

    const elsewhere = `${backups}-restored`;
    const restored = await annals(
      elsewhere,
      'restore',
      folder,
      '--deletions',
      path.join(system.dataDir, 'deletions.ndjson'),
    );
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('no inconsistencies found')]);
    expect(findings(restored.output)).toContainEqual(
      expect.objectContaining({ found: expect.stringContaining('user 1 of 1') }),
    );
    const copy = await startStandalone({ dataDir: elsewhere, env: { ANNALS_BOOTSTRAP_KEY: system.tenantKey } });
    opened.push(copy);
    const other = new ApiClient(() => copy.nextUrl(), system.tenantKey);
    await waitUntilDone(other, acknowledged, { explain: () => copy.lastLines });
    // Those that were accepted during the copy, and are in it.
    await waitUntil(async () => (await countUnfinished(other)) === 0, {
      describe: 'all batches of the backup are done',
    });
    await copy.inspect(async (query) => {
      const accepted = await query<{ id: string }>('SELECT id FROM batches ORDER BY id');
      const ids = new Set(accepted.map(({ id }) => id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(expected.batchIds.filter((id) => ids.has(id)).length).toBe(ids.size);
      await assertNothingLostOrDuplicated(query, { batchIds: [...ids], contents: new Map() });
    });
  });

  it('is refused when a file of it was changed, is missing or was added', async () => {
    const folder = newestBackup();
    const target = path.join(backups, 'refused');
    const file = path.join(folder, 'database', 'PG_VERSION');
    const text = readFileSync(file, 'utf8');
    appendFileSync(file, ' ');
    expect((await annals(target, 'restore', folder)).output).toMatch(/PG_VERSION in the backup .* was changed/);
    rmSync(file);
    const missing = await annals(target, 'restore', folder);
    expect([missing.code, missing.output]).toEqual([1, expect.stringMatching(/lacks database\/PG_VERSION/)]);
    appendFileSync(file, text);
    appendFileSync(path.join(folder, 'notes.txt'), 'mine');
    expect((await annals(target, 'restore', folder)).output).toMatch(/notes.txt is not part of the backup/);
    rmSync(path.join(folder, 'notes.txt'));
    expect((await annals(target, 'restore', backups)).output).toMatch(/is no backup of Annals/);
    expect(existsSync(path.join(target, 'database'))).toBe(false);
  });

  it('of a folder that no process uses is written by the command itself, and restored beside what is there', async () => {
    const { code } = await annals(system.dataDir, 'backup', backups, '--without-keys');
    expect(code).toBe(0);
    const folder = newestBackup();
    expect(existsSync(path.join(folder, 'secret.key'))).toBe(false);
    const restored = await annals(system.dataDir, 'restore', folder);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('database.before-')]);
    expect(readdirSync(system.dataDir).filter((name) => name.startsWith('database.'))).toHaveLength(1);
    const fresh = await annals(path.join(backups, 'none'), 'backup', backups);
    expect([fresh.code, fresh.output]).toEqual([1, expect.stringMatching(/no database/)]);
  });
});

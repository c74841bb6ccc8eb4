import {
  AnnalsProcess,
  ApiClient,
  createTestKey,
  fillDataFolder,
  startStandalone,
  type StandaloneSystem,
} from '@annals/testing';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const EXIT_CONFIG = 78;

describe('Annals as one process', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-standalone-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const prepare = (env: Record<string, string> = {}) =>
    AnnalsProcess.prepare('standalone', { ANNALS_DATA_DIR: folder, ...env });
  const opens = async (process: AnnalsProcess, key: string) =>
    (await new ApiClient(process.url, key).call('listKeys')).status === 200;

  it('creates a random first key, prints it once and stores it readable by its owner only', async () => {
    const annals = await prepare();
    try {
      await annals.start();
      const file = path.join(folder, 'bootstrap-key');
      const key = readFileSync(file, 'utf8').trim();
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(annals.output.text).toMatch(new RegExp(`ready: ${annals.url}`));
      expect(annals.output.text).toContain(key);
      expect(annals.output.text).toMatch(/curl -sS \S+\/v1\/conversations[\s\S]+curl -sS \S+\/v1\/memory\/query/);
      expect(await opens(annals, key)).toBe(true);
      const operator = new ApiClient(annals.url, key);
      expect((await operator.must('listTenants')).items.map(({ name }) => name)).toEqual(['default']);

      const printed = annals.output.text.length;
      await annals.kill9();
      await annals.start();
      expect(annals.output.text.slice(printed)).not.toContain(key);
      expect(await opens(annals, key)).toBe(true);

      const given = createTestKey('given');
      await annals.stop();
      await annals.start({ ANNALS_BOOTSTRAP_KEY: given });
      expect(annals.output.text).not.toContain(given);
      expect(await opens(annals, given)).toBe(true);
      expect(await opens(annals, key)).toBe(true);
    } finally {
      await annals.kill9();
    }
  });

  it('rejects a first key that is too short, naming its variable without showing its value', async () => {
    const annals = await prepare({ ANNALS_BOOTSTRAP_KEY: 'too-short' });
    annals.launch();
    expect(await annals.waitForExit()).toBe(EXIT_CONFIG);
    expect(annals.output.text).toContain('ANNALS_BOOTSTRAP_KEY');
    expect(annals.output.text).not.toContain('too-short');
  });

  it('says that the runtime of a model is not installed, and which variable names it', async () => {
    await fillDataFolder(folder);
    const annals = await prepare({
      ANNALS_RERANK: 'onnx',
      ANNALS_RERANK_MODEL_DIR: folder,
      ANNALS_RERANK_RUNTIME_DIR: folder,
    });
    annals.launch();
    expect(await annals.waitForExit()).toBe(EXIT_CONFIG);
    expect(annals.output.text).toMatch(/^ANNALS_RERANK_RUNTIME_DIR names .* is not installed: run "npm run onnx"\.$/m);
  });

  describe('with its folder in use', () => {
    let system: StandaloneSystem;
    beforeAll(async () => {
      system = await startStandalone();
    });
    afterAll(() => system?.close());

    it('rejects a second process with a message and continues to serve', async () => {
      const second = await AnnalsProcess.prepare('standalone', { ANNALS_DATA_DIR: system.dataDir });
      second.launch();
      expect(await second.waitForExit()).toBe(1);
      expect(second.output.text).toMatch(/in use|already/i);
      expect(second.output.text).not.toMatch(/\n\s+at /);
      expect((await new ApiClient(system.nextUrl(), system.tenantKey).must('getReadiness')).status).toBe('ok');
    });

    it('names the port and its variable when another program uses the port', async () => {
      const second = await AnnalsProcess.prepare('standalone', { ANNALS_DATA_DIR: folder });
      second.launch({ ANNALS_HTTP_PORT: String(system.process.port) });
      expect(await second.waitForExit()).toBe(1);
      expect(second.output.text).toContain(`Port ${system.process.port}`);
      expect(second.output.text).toContain('ANNALS_HTTP_PORT');
    });
  });
});

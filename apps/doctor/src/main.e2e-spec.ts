import { runAnnals } from '@annals/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'annals-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (args: string[], env: Record<string, string> = {}) =>
  runAnnals(args, { ANNALS_DATA_DIR: path.join(folder, 'data'), ...env });

describe('annals doctor', () => {
  it('prints a line for each check and a summary', async () => {
    const { code, stdout, stderr } = await run(['doctor']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('ok    The configuration is valid (embedded profile).');
    expect(lines.at(-1)).toMatch(/^Nothing failed, 0 warnings, \d+ passed\.$/);
  });

  it('prints one JSON document with --json', async () => {
    const { code, stdout } = await run(['doctor', '--offline', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ healthy: true, spentMicroUsd: 0 });
  });

  it('exits with 78 for a wrong configuration and 64 for an unknown command', async () => {
    const wrong = await run(['doctor'], { MEMORY_LLM_DAILY_BUDGET_USD: 'plenty' });
    expect([wrong.code, wrong.stdout.includes('plenty')]).toEqual([78, false]);
    const lost = await run(['surgeon']);
    expect([lost.code, lost.stdout]).toEqual([64, '']);
    expect(lost.stderr).toMatch(/^Usage: annals doctor/);
  });
});

describe('annals vault', () => {
  it('reports as text and as JSON that there is no vault to compare', async () => {
    const result = await run(['vault', 'check']);
    expect([result.code, result.stderr]).toEqual([69, '']);
    expect(result.stdout).toBe(
      'fail  There is no vault: ANNALS_VAULT_PATH is not set.\nThe vault was not compared as a whole.\n',
    );
    const { code, stdout } = await run(['vault', 'check', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([69, { sound: false, counts: null, faults: 0 }]);
    const off = await run(['vault', 'off', '--json']);
    expect([off.code, JSON.parse(off.stdout)]).toMatchObject([69, { done: false }]);
  });
});

describe('annals verify', () => {
  it('reports as text and as JSON that there is no database to verify', async () => {
    const result = await run(['verify']);
    expect([result.code, result.stderr]).toEqual([69, '']);
    expect(result.stdout).toMatch(/^fail  There is no database in .*\nNothing was verified\.\n$/);
    const { code, stdout } = await run(['verify', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([69, { sound: false, counts: null, faults: 0 }]);
  });
});

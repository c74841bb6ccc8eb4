import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { environmentOf, NODES, programIn, runToEnd } from './cli-program.js';
import { installSdk, SDK_FOLDER } from './install-sdk.js';

const { version } = JSON.parse(readFileSync(path.join(SDK_FOLDER, 'package.json'), 'utf8')) as { version: string };

describe('annals-sdk, the program of @annals/sdk', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-cli-'));
    installSdk(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(NODES)('on $title', (node) => {
    const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runToEnd([programIn(folder), ...args], { cwd: folder, env: { ...environmentOf(node), ...env } });

    it.each([[['--help']], [['-h']], [['mcp', '--help']]])('explains itself: %j', async (args) => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: annals-sdk <command>\n/);
      for (const word of ['mcp', '--help', '--version', 'ANNALS_API_KEY', 'ANNALS_URL'])
        expect(stdout).toMatch(new RegExp(`^  ${word} `, 'm'));
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    });

    it('says its version, which is that of the package', async () => {
      expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    });

    it('is what npx runs for the name of the package', async () => {
      const env = { ...environmentOf(node), HOME: homedir() };
      const npx = await runToEnd(['npx', '--offline', '@annals/sdk', '--version'], { cwd: folder, env });
      expect(npx).toMatchObject({ code: 0, stdout: `${version}\n` });
    });

    it.each<[string, string[], string]>([
      ['without a command', [], 'Give a command: annals-sdk --help lists them.'],
      ['of another command', ['mpc'], 'There is no command "mpc": annals-sdk --help lists those that there are.'],
      [
        'of an argument',
        ['mcp', 'http://127.0.0.1'],
        'Leave out "http://127.0.0.1": mcp takes no arguments, but variables (annals-sdk --help).',
      ],
    ])('refuses a call %s, and says what to do', async (_what, args, sentence) => {
      expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `annals-sdk: ${sentence}\n` });
    });

    it.each([
      ['ANNALS_API_KEY', {}],
      ['ANNALS_API_KEY', { ANNALS_API_KEY: '' }],
      ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'memory' }],
      ['ANNALS_URL', { ANNALS_API_KEY: 'ann_1', ANNALS_URL: 'localhost:8080' }],
    ])('does not start mcp without %s (%j), and says what to set', async (name, env) => {
      const { code, stdout, stderr } = await run(['mcp'], env);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^annals-sdk: Set ${name} to .+\\.\n$`));
    });
  });
});

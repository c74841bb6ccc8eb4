import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CLI_FOLDER, installCli } from './install-cli.js';

const FIXTURES = path.join(CLI_FOLDER, 'src/fixtures');

/** The commands of the page with what they print, in its order; without lines, the page does not say it. */
function readCommands(): { readonly command: string; readonly prints: string[] }[] {
  const page = readFileSync(path.join(CLI_FOLDER, 'README.md'), 'utf8');
  return [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...prints] = text.trimEnd().split('\n');
        return { command, prints };
      }),
  );
}

describe('the commands in the README of @annals/cli', () => {
  let system: AnnalsSystem;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-cli-readme-'));
    installCli(folder);
    copyFileSync(path.join(FIXTURES, 'claude-conversations.json'), path.join(folder, 'claude.json'));
    copyFileSync(path.join(FIXTURES, 'mem0.json'), path.join(folder, 'mem0.json'));
    system = await startSystem();
  });
  afterAll(async () => {
    await system?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('print what the page says', async () => {
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name: 'cli-readme' } });
    const search = [path.join(folder, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
    const env = { PATH: search, ANNALS_URL: system.nextUrl(), ANNALS_API_KEY: key! };
    const commands = readCommands();
    expect(commands).toHaveLength(7);
    for (const { command, prints } of commands) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
      if (prints.length > 0) expect([command, ...stdout.trimEnd().split('\n')]).toEqual([command, ...prints]);
    }
    expect(readFileSync(path.join(folder, 'mara.md'), 'utf8')).toContain('# What is remembered of mara');
  });
});

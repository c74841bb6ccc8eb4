import { type AnnalsSystem, ApiClient, startSystem } from '@annals/testing';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { listClientRuntimes } from '../../scripts/bootstrap/client-runtimes.mjs';
import { installSdk } from './install-sdk.js';
import { addressed, readExamples } from './readme-examples.js';

interface Runtime {
  readonly title: string;
  readonly program: string;
}

const EXAMPLES = readExamples();
/** `npm test` needs no network, so there only the runtime of the tests is present. */
const RUNTIMES: Runtime[] = [
  { title: `Node ${process.versions.node.split('.')[0]}`, program: process.execPath },
  ...(process.env['ANNALS_TEST_PROFILE'] === 'services' ? listClientRuntimes() : []),
];
/** Of a user of the client. */
const PROJECT = { type: 'module', dependencies: { '@annals/sdk': '*' } };
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'Deno 2': ['run', '--no-remote', '--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read'],
};

describe('the examples in the README of @annals/sdk', () => {
  let system: AnnalsSystem;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-readme-'));
    installSdk(folder);
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(PROJECT));
    system = await startSystem();
  });
  afterAll(async () => {
    await system?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of the page', () => {
    expect(EXAMPLES.map(({ title }) => title)).toEqual([
      'The client',
      'Remember, wait, query',
      'Lists',
      'Correct, delete, restore',
      'Streams',
      'Errors',
      'Retries, time limits, aborting',
      'Runtimes',
    ]);
    expect(EXAMPLES.flatMap(({ prints }) => prints).length).toBeGreaterThan(7);
  });

  it.each(RUNTIMES)('print on $title what the page says', async ({ title, program }) => {
    if (!existsSync(program)) throw new Error(`${title} is missing: npm run test:services installs it.`);
    const name = `readme-${title.toLowerCase().replace(' ', '-')}`;
    const operator = new ApiClient(() => system.nextUrl(), system.operatorKey);
    const { key } = await operator.must('createTenant', { body: { name } });
    const env = {
      PATH: process.env['PATH'],
      ANNALS_KEY: key,
      DENO_DIR: folder,
      DENO_NO_UPDATE_CHECK: '1',
      NO_COLOR: '1',
    };
    const printed: Record<string, string[]> = {};
    // In order, as a reader would run them: later ones find what earlier ones have stored.
    for (const example of EXAMPLES) {
      // The examples are JavaScript as well, which Node 20 needs.
      const file = path.join(folder, `${name}-${example.file}`.replace(/ts$/, 'js'));
      writeFileSync(file, addressed(example, system.nextUrl()));
      const { stdout } = await promisify(execFile)(program, [...(FLAGS[title] ?? []), file], { cwd: folder, env });
      printed[example.title] = stdout.split('\n').slice(0, -1);
    }
    expect(printed).toEqual(Object.fromEntries(EXAMPLES.map((example) => [example.title, example.prints])));
  });
});

import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { listClientRuntimes } from '../../scripts/bootstrap/client-runtimes.mjs';
import { installSdk } from './install-sdk.js';

export interface Runtime {
  readonly title: string;
  readonly program: string;
}

/** `npm test` needs no network, so there only the runtime of the tests is present. */
export const RUNTIMES: readonly Runtime[] = [
  { title: `Node ${process.versions.node.split('.')[0]}`, program: process.execPath },
  ...(process.env['ANNALS_TEST_PROFILE'] === 'services' ? listClientRuntimes() : []),
];

type Flags = Readonly<Record<string, readonly string[]>>;

const FLAGS: Flags = {
  'Deno 2': ['run', '--no-remote', '--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read'],
};

/** Makes a folder the project of a user who has installed the client. */
export function makeProject(folder: string): void {
  installSdk(folder);
  const manifest = { type: 'module', dependencies: { '@annals/sdk': '*' } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Runs a file of the project, with more flags of a runtime if there are any. Returns the lines that it prints. */
export async function runIn(
  { title, program }: Runtime,
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
  flags: Flags = {},
): Promise<string[]> {
  if (!existsSync(program)) throw new Error(`${title} is missing: npm run test:services installs it.`);
  const folder = path.dirname(file);
  const env = { PATH: process.env['PATH'], NO_COLOR: '1', DENO_DIR: folder, DENO_NO_UPDATE_CHECK: '1', ...variables };
  const { stdout } = await promisify(execFile)(program, [...(FLAGS[title] ?? []), ...(flags[title] ?? []), file], {
    cwd: folder,
    env,
  });
  return stdout.split('\n').slice(0, -1);
}

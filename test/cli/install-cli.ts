import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pack, packSdk } from '../sdk/install-sdk.js';
import { type InstalledPackage, linkLibraries } from '../sdk/module-package.js';

export const CLI_FOLDER = path.resolve(import.meta.dirname, '../../packages/cli');

const LIBRARIES = ['cli-progress', 'stream-chain', 'stream-json', 'yauzl'];

/** Makes a folder the project of a user who has installed `@annals/cli`, without a network, with its program in `bin`. */
export function installCli(project: string): InstalledPackage {
  const packed = pack(CLI_FOLDER, project);
  for (const [name, { tarball }] of [['sdk', packSdk(project)] as const, ['cli', packed] as const]) {
    const folder = path.join(project, 'node_modules/@annals', name);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  }
  linkLibraries(project, CLI_FOLDER, LIBRARIES);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  const folder = path.join(project, 'node_modules/@annals/cli');
  const program = path.join(folder, 'dist/cli/main.js');
  chmodSync(program, 0o755);
  mkdirSync(path.join(project, 'bin'));
  symlinkSync(program, path.join(project, 'bin/annals'));
  return { packed, folder };
}

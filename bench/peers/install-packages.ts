import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export interface InstalledPackages {
  readonly folder: string;
  readonly require: NodeJS.Require;
  remove(): Promise<void>;
}

/**
 * Installs packages into a temporary folder for a measurement: they are no dependencies of the project. Null when they
 * cannot be installed. `flags`: further ones for `npm install`.
 */
export async function installPackages(
  name: string,
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<InstalledPackages | null> {
  const folder = await mkdtemp(path.join(tmpdir(), `annals-${name}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, ...flags];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...packages]);
  } catch {
    await remove();
    return null;
  }
  return { folder, require: createRequire(path.join(folder, 'package.json')), remove };
}

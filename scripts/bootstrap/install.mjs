import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';
import { reportWhile } from './report.mjs';

const stampFile = inRoot('node_modules/.annals-install');

/**
 * Installs the dependencies of the lockfile, unless the manifests are the same as at the last install.
 * @param {NodeJS.ProcessEnv} env from prepareTools
 */
export async function installDependencies(env) {
  const stamp = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // pnpm prompts before it replaces a node_modules of another version, which would block a run without a terminal.
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  await reportWhile('installing the dependencies named in pnpm-lock.yaml', () => mustRun('pnpm', args, { env }));
  writeFileSync(stampFile, stamp);
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of manifests())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

function manifests() {
  const packages = ['apps', 'libs', 'packages', 'tools'].flatMap((folder) =>
    readdirSync(inRoot(folder)).map((name) => `${folder}/${name}/package.json`),
  );
  return [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...packages.toSorted((a, b) => (a < b ? -1 : 1)),
  ].filter((file) => existsSync(inRoot(file)));
}

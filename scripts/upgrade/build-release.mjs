import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../bootstrap/paths.mjs';
import { report } from '../bootstrap/report.mjs';

/**
 * Builds a release from its commit, with its own dependencies, in `.upgrade/<commit>`, unless it is there. Returns the
 * path of the folder.
 * @param {string} commit
 * @param {NodeJS.ProcessEnv} env from prepareTools
 */
export function buildRelease(commit, env) {
  const folder = inRoot('.upgrade', commit);
  const stamp = path.join(folder, '.built');
  if (existsSync(stamp)) return folder;
  if (!succeeds('git', ['cat-file', '-e', `${commit}^{commit}`])) {
    throw new Error(
      `This clone has no commit ${commit}, from which the release before was built: fetch the whole history (git fetch --unshallow).`,
    );
  }
  report(`building the release before, commit ${commit}, in .upgrade (minutes, once)`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  mustRun('git', ['archive', '--format=tar', `--output=${archive}`, commit], env);
  mustRun('tar', ['-x', '-f', archive, '-C', folder], env);
  rmSync(archive);
  mustRun(
    'pnpm',
    ['install', '--frozen-lockfile', '--prefer-offline', '--config.confirmModulesPurge=false'],
    env,
    folder,
  );
  const packages = ['libs', 'apps'].flatMap((kind) =>
    readdirSync(path.join(folder, kind))
      .map((name) => path.join(kind, name))
      .filter((name) => existsSync(path.join(folder, name, 'tsconfig.json'))),
  );
  mustRun(path.join(folder, 'node_modules/.bin/tsc'), ['-b', ...packages], env, folder);
  writeFileSync(stamp, '');
  return folder;
}

function succeeds(command, args) {
  return spawnSync(command, args, { cwd: inRoot('.'), stdio: 'ignore' }).status === 0;
}

function mustRun(command, args, env, cwd = inRoot('.')) {
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed with exit code ${status}.`);
}

import { run } from './run.mjs';

/**
 * True in a root script that turbo runs. `npm test` asks turbo, which runs the same script where nothing in its cache
 * answers; there the work is done. See turbo.json.
 */
export function isInsideTurbo() {
  return Boolean(process.env.TURBO_HASH);
}

/**
 * Runs a root script through turbo: when nothing that it reads has changed since it last passed, it is not run again,
 * and turbo says so. CI believes no earlier result.
 * @param {string} name of a task in turbo.json
 * @param {NodeJS.ProcessEnv} env
 */
export function runTask(name, env) {
  const cache = process.env.CI ? ['--force'] : [];
  return runTurbo(['run', name, '--filter=//', '--output-logs=new-only', '--log-prefix=none', ...cache], env);
}

/** Runs a root script, and again whenever something changes that it reads, until it is interrupted. */
export function watchTask(name, env) {
  return runTurbo(['watch', name, '--filter=//', '--log-prefix=none'], env);
}

export function runTurbo(args, env) {
  return run('turbo', args, { env: { ...env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' } });
}

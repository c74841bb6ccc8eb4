import { run } from './run.mjs';

/**
 * True in a root script that turbo runs. `npm test` calls turbo, which on a cache miss runs the same script again; that
 * second process does the work. See turbo.json.
 */
export function isInsideTurbo() {
  return Boolean(process.env.TURBO_HASH);
}

/**
 * Runs a root script through turbo: when none of its inputs has changed since it last passed, turbo reports a cache hit
 * and does not run it. CI ignores cached results.
 * @param {string} name of a task in turbo.json
 * @param {NodeJS.ProcessEnv} env
 */
export function runTask(name, env) {
  const cache = process.env.CI ? ['--force'] : [];
  return runTurbo(['run', name, '--filter=//', '--output-logs=new-only', '--log-prefix=none', ...cache], env);
}

/** Runs a root script, and again whenever one of its inputs changes, until it is interrupted. */
export function watchTask(name, env) {
  return runTurbo(['watch', name, '--filter=//', '--log-prefix=none'], env);
}

export function runTurbo(args, env) {
  return run('turbo', args, { env: { ...env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' } });
}

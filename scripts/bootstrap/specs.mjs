import { mkdirSync, rmSync } from 'node:fs';
import { build, buildBundles } from './build.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { report } from './report.mjs';

/** By default glibc does not return the memory that in-memory databases have freed, a fifth of a run's memory. */
const MALLOC_OPTIONS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' };
/** Of the process that transforms modules and collects results: with the defaults it keeps up to 400 MB of garbage. */
const HEAP_OPTIONS = ['--max-semi-space-size=4', '--max-old-space-size=512'];
const VITEST = 'node_modules/vitest/vitest.mjs';

/**
 * Builds, then runs the specs of a lane (scripts/test/lanes.mjs), or the specs that the arguments name, whatever their
 * lane. A whole lane starts services from their bundles, as deployments do; for some specs, bundling would take longer
 * than the starts.
 * @param {'embedded' | 'services'} profile
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args for vitest: parts of paths, flags
 */
export async function runSpecs(profile, env, args) {
  const results = inRoot(`test-results/${profile}.json`);
  mkdirSync(inRoot('test-results'), { recursive: true });
  // A crashed run must not leave the results of the run before it.
  rmSync(results, { force: true });
  const isWholeLane = args.every((arg) => arg.startsWith('-'));
  await (isWholeLane ? buildBundles(env) : build(env));
  const lane = isWholeLane ? { ANNALS_TEST_BUNDLES: 'true' } : { ANNALS_TEST_EVERYTHING: 'true' };
  return run('node', [...HEAP_OPTIONS, VITEST, 'run', ...args], {
    env: { ...MALLOC_OPTIONS, ...env, ...lane, ANNALS_TEST_PROFILE: profile },
  });
}

/** Every spec on both profiles, with full sizes and new seeds. Takes an hour or more. */
export async function runSoak(env, args) {
  const soak = { ...env, ANNALS_TEST_SIZE: 'soak', ANNALS_TEST_EVERYTHING: 'true' };
  const exitCodes = [];
  for (const profile of ['embedded', 'services']) {
    report(`soak: every spec that the profile "${profile}" can run`);
    exitCodes.push(await runSpecs(profile, soak, args));
  }
  return Math.max(...exitCodes);
}

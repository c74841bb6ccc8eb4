import { readFileSync } from 'node:fs';
import { build, buildBundles } from './build.mjs';
import { installClientRuntimes } from './client-runtimes.mjs';
import { installDependencies } from './install.mjs';
import { appEnv, serviceFlags } from './node-flags.mjs';
import { installOnnxRuntime } from './onnx.mjs';
import { inRoot } from './paths.mjs';
import { mustRun, run } from './run.mjs';
import { report } from './report.mjs';
import { runSoak, runSpecs } from './specs.mjs';
import { isInsideTurbo, runTask, runTurbo, watchTask } from './tasks.mjs';
import { prepareTools } from './tools.mjs';
import { serviceUrls } from '../services/service-urls.mjs';
import { buildRelease } from '../upgrade/build-release.mjs';

const DEPENDENCY_CRUISER = 'tools/dependency-rules/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
const SOURCES = ['libs', 'packages', 'apps', 'test', 'bench', 'infra', 'scripts', 'tools'];

/**
 * The root scripts by name. A command receives the remaining arguments and resolves to the exit code.
 * @type {Record<string, (args: string[]) => Promise<number>>}
 */
export const commands = {
  async start(args) {
    const env = await prepareBuilt();
    return run('node', [...serviceFlags(env), 'apps/standalone/dist/main.js', ...args], { env: appEnv(env) });
  },
  async dev() {
    return watchTask('start', await prepareInstalled());
  },
  async test(args) {
    if (!isInsideTurbo() && args.length === 0) return runTask('test', await prepareInstalled());
    // Without the URLs of services, even if they are set: an embedded run must prove that it needs none.
    const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = await prepareInstalled();
    return runSpecs('embedded', env, args);
  },
  async 'test:services'(args) {
    const env = await prepareInstalled();
    // Uses the caller's npm with its settings; a task inside turbo would run another npm.
    if (!isInsideTurbo()) await installTestedRuntimes();
    if (!isInsideTurbo() && args.length === 0) return runTask('test:services', env);
    return runSpecs('services', { ...env, ...(await startServices()) }, args);
  },
  async 'test:soak'(args) {
    const env = await prepareInstalled();
    await installTestedRuntimes();
    return runSoak({ ...env, ...(await startServices()) }, args);
  },
  async 'test:containers'(args) {
    return run('node', ['scripts/containers/test-containers.mjs', ...args], { env: await prepareImageBuilds() });
  },
  async 'test:kubernetes'(args) {
    return run('node', ['scripts/kubernetes/test-kubernetes.mjs', ...args], { env: await prepareImageBuilds() });
  },
  async 'test:upgrade'(args) {
    const env = await prepareInstalled();
    const [commit = readPreviousCommit()] = args.filter((arg) => !arg.startsWith('-'));
    const release = buildRelease(commit, env);
    const record = args.includes('--record') ? { ANNALS_RECORD_RELEASE: 'true' } : {};
    return runSpecs('services', { ...env, ...(await startServices()), ANNALS_PREVIOUS_RELEASE: release, ...record }, [
      'test/upgrade',
    ]);
  },
  async services(args) {
    return run(process.execPath, ['scripts/services/services.mjs', ...args]);
  },
  async doctor(args) {
    return runAnnals('doctor', args);
  },
  async verify(args) {
    return runAnnals('verify', args);
  },
  async deletions(args) {
    return runAnnals('deletions', args);
  },
  async backup(args) {
    return runAnnals('backup', args);
  },
  async restore(args) {
    return runAnnals('restore', args);
  },
  async vault(args) {
    return runAnnals('vault', args);
  },
  async demo(args) {
    return run('node', ['scripts/demo/demo.mjs', ...args], { env: await prepareInstalled() });
  },
  async bench(args) {
    const env = await prepareBuilt();
    return run('node', ['bench/run.ts', ...args], { env: { ...env, ...(await startServices()) } });
  },
  async report(args) {
    const env = await prepareBuilt();
    return run('node', ['bench/report/run.ts', ...args], { env: { ...env, ...(await startServices()) } });
  },
  async 'bench:locomo'(args) {
    const env = await prepareBuilt();
    const services = args.includes('--services') ? await startServices() : {};
    return run('node', ['bench/locomo/run.ts', ...args], { env: { ...env, ...services } });
  },
  async 'bench:chats'(args) {
    const env = await prepareBuilt();
    const services = args.includes('--services') ? await startServices() : {};
    return run('node', ['bench/chats/run.ts', ...args], { env: { ...env, ...services } });
  },
  async build(args) {
    const env = await prepareInstalled();
    await (args.length > 0 ? build(env, args) : buildBundles(env));
    return 0;
  },
  async lint(args) {
    const env = await prepareInstalled();
    if (!isInsideTurbo() && args.length === 0) return runTask('lint', env);
    const importRules = ['node', DEPENDENCY_CRUISER, '--config', 'tools/dependency-rules/rules.mjs', ...SOURCES];
    const paths = args.length > 0 ? args : ['.'];
    return runAll(env, {
      'code rules': ['oxlint', ...paths],
      'import rules': importRules,
      'unused files, exports and dependencies': ['knip', '--no-progress'],
      'code that only tests use': ['knip', '--no-progress', '--production', '--include', 'files,exports,types'],
      'citations and links': ['node', 'scripts/lint/check-references.mjs'],
      'commit messages': ['node', 'scripts/commits/check-commits.mjs'],
      'formatting (npm run format repairs it)': ['prettier', '--check', '--log-level=warn', ...paths],
    });
  },
  async check() {
    const env = await prepareInstalled();
    if (!isInsideTurbo()) return runTask('check', env);
    return runAll(env, {
      'types, specs included': ['tsc', '-b'],
      'types of the console': ['tsc', '-p', 'apps/console'],
      'one version of each shared package': ['pnpm', 'peers', 'check'],
    });
  },
  async turbo(args) {
    return runTurbo(args, await prepareInstalled());
  },
  async docs() {
    const env = await prepareBuilt();
    return runAll(env, {
      'docs/reference/key-bindings.md': ['node', 'libs/contracts/dist/write-docs.js'],
      'docs/configuration.md': ['node', 'libs/config/dist/write-docs.js'],
      'layers in docs/architecture.md': ['node', 'tools/dependency-rules/write-docs.mjs'],
      'docs/metrics.md and docs/events.md': ['node', 'libs/observability/dist/write-docs.js'],
      'dashboards, alert rules and docs/alerts.md': ['node', 'tools/monitoring/src/write-files.ts'],
      'types and methods of packages/sdk': ['node', 'tools/sdk/src/write-files.ts'],
    });
  },
  async 'docs:screens'() {
    const env = {
      ...(await prepareInstalled()),
      ...(await startServices()),
      ANNALS_SCREENSHOTS: inRoot('docs/images'),
    };
    return runSpecs('services', env, ['queue-ui.browser', 'test/e2e/console']);
  },
  async changelog() {
    const env = await prepareInstalled();
    const code = await run('node', ['scripts/commits/write-changelog.mjs'], { env });
    return code || run('prettier', ['--write', '--log-level=warn', 'CHANGELOG.md'], { env });
  },
  async onnx() {
    await installOnnxRuntime();
    return 0;
  },
  async pnpm(args) {
    return run('pnpm', args, { env: await prepareTools() });
  },
  async format() {
    return run('prettier', ['--write', '--log-level=warn', '.'], { env: await prepareInstalled() });
  },
};

async function prepareInstalled() {
  const env = await prepareTools();
  await installDependencies(env);
  return env;
}

async function prepareBuilt() {
  const env = await prepareInstalled();
  await build(env);
  return env;
}

async function installTestedRuntimes() {
  await installOnnxRuntime();
  await installClientRuntimes();
}

async function prepareImageBuilds() {
  // npm passes its settings to its scripts only: the images are built with the certificates that it trusts.
  const { npm_config_cafile: ANNALS_BUILD_CA_FILE } = process.env;
  return { ...(ANNALS_BUILD_CA_FILE && { ANNALS_BUILD_CA_FILE }), ...(await prepareInstalled()) };
}

/** The commit that the release before was built from. */
function readPreviousCommit() {
  return JSON.parse(readFileSync(inRoot('test/upgrade/previous-release.json'), 'utf8')).commit;
}

async function runAnnals(command, args) {
  const env = await prepareBuilt();
  return run('node', [...serviceFlags(env), 'apps/doctor/dist/main.js', command, ...args], { env: appEnv(env) });
}

async function startServices() {
  await mustRun(process.execPath, ['scripts/services/services.mjs', 'up']);
  const { databaseUrl, redisUrl } = serviceUrls();
  return { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}

/** Runs every step even when one fails, so that one run reports every problem. */
async function runAll(env, steps) {
  const failed = [];
  for (const [title, [command, ...args]] of Object.entries(steps)) {
    report(title);
    if ((await run(command, args, { env })) !== 0) failed.push(title);
  }
  if (failed.length > 0) report(`failed: ${failed.join('; ')}`);
  return failed.length > 0 ? 1 : 0;
}

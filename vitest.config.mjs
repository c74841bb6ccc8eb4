import { defineConfig } from 'vitest/config';
import { DurationReporter } from './scripts/test/duration-reporter.mjs';
import { FailureReporter } from './scripts/test/failure-reporter.mjs';
import { findSource } from './scripts/test/find-source.mjs';
import { readRun, specPatterns } from './scripts/test/lanes.mjs';
import { LongestFirst } from './scripts/test/longest-first.mjs';
import { PeakMemoryReporter } from './scripts/test/peak-memory-reporter.mjs';

const run = readRun(process.env);

/** Configuration of a run of specs; scripts/test/lanes.mjs selects the specs. */
export default defineConfig({
  plugins: [
    {
      name: 'annals-sources',
      enforce: 'pre',
      // Specs read the sources of all packages, so they never load a stale build.
      resolveId: (request) => (request.startsWith('@annals/') ? findSource(request) : undefined),
    },
  ],
  // Decorators and fields as in tsconfig.base.json.
  oxc: {
    target: 'es2024',
    decorator: { legacy: true, emitDecoratorMetadata: true },
    assumptions: { setPublicClassFields: true },
  },
  test: {
    globals: true,
    include: specPatterns(run),
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Each worker loads every module once. Isolation would load NestJS, TypeORM and the SDKs again for every file.
    pool: 'forks',
    isolate: false,
    maxWorkers: run.workers,
    // With the defaults, a worker retains up to 400 MB more of garbage.
    execArgv: [...youngGeneration(run), '--max-old-space-size=640'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['libs/testing/src/run/global-setup.ts'],
    setupFiles: ['scripts/test/setup-spec-file.mjs'],
    // Longer than any wait of a test (`waitUntil`), so that the wait reports what it waited for.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: [
      ['default', { summary: false }],
      'json',
      new PeakMemoryReporter(),
      new DurationReporter(run.profile),
      new FailureReporter(run.profile),
    ],
    outputFile: { json: `test-results/${run.profile}.json` },
  },
});

/**
 * Embedded databases fill the memory that `npm test` may use, so its workers collect garbage often. On the services a
 * larger young generation saves a seventh of a worker's CPU time, for 50 MB, and a twelfth of that of the processes
 * that specs start, which get the flags of their worker.
 * @param {import('./scripts/test/lanes.mjs').TestRun} run
 */
function youngGeneration({ profile }) {
  return profile === 'embedded'
    ? ['--max-semi-space-size=4']
    : ['--min-semi-space-size=16', '--max-semi-space-size=16'];
}

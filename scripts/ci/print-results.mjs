import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from '../bootstrap/paths.mjs';
import { failuresFile } from '../test/failure-reporter.mjs';
import { countResults, PROFILES } from './count-results.mjs';

// `print-results.mjs [failed step …]`: the last lines of .ci/run, and its exit code.
const failedSteps = process.argv.slice(2);
const results = Object.fromEntries(PROFILES.map((profile) => [profile, readResult(profile)]));
const { passed, failed } = countResults(results, failedSteps);

for (const profile of PROFILES) process.stdout.write(readIfExists(failuresFile(profile)) ?? '');
for (const step of failedSteps) console.log(`failed: ${step}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function readResult(profile) {
  const text = readIfExists(inRoot(`test-results/${profile}.json`));
  return text && JSON.parse(text);
}

function readIfExists(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

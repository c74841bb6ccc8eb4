import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

// `count-results.mjs [failed step …]`: prints `N passed, N failed` from the results of both test profiles.
const PROFILES = { embedded: 'npm test', services: 'npm run test:services' };
const failedSteps = process.argv.slice(2);

const counts = Object.keys(PROFILES).map(readCounts);
const passed = sum(counts.map((count) => count.passed));
const failed = sum(counts.map((count) => count.failed)) + failedSteps.filter(isNotCountedYet).length;
for (const step of failedSteps) console.log(`failed: ${step}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** A spec file that could not even be loaded has no failed test of its own. A profile without results is a failure. */
function readCounts(profile) {
  const file = path.resolve(import.meta.dirname, `../../test-results/${profile}.json`);
  if (!existsSync(file)) return { profile, passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(file, 'utf8'));
  return { profile, passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** A failed test run is in the results already, unless jest failed for another reason than a test. */
function isNotCountedYet(step) {
  return !counts.some(({ profile, failed: ofProfile }) => step.startsWith(PROFILES[profile]) && ofProfile > 0);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

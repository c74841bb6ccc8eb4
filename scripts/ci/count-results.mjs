/** The command that writes the results of each test profile. */
const STEP_OF_PROFILE = { embedded: 'npm test', services: 'npm run test:services' };

export const PROFILES = Object.keys(STEP_OF_PROFILE);

/**
 * What CI reports as its last line.
 * @param {Record<string, { success: boolean, numPassedTests: number, numFailedTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] } | undefined>} results
 *   vitest's results by profile; a profile without any is a failure
 * @param {string[]} failedSteps commands that ended with an error
 * @returns {{ passed: number, failed: number }}
 */
export function countResults(results, failedSteps) {
  const profiles = PROFILES.map((profile) => ({ profile, ...countProfile(results[profile]) }));
  // A failed test run is already counted in its profile's results, unless it failed for another reason than a test.
  const isCounted = (step) =>
    profiles.some(({ profile, failed }) => step.startsWith(STEP_OF_PROFILE[profile]) && failed > 0);
  const uncounted = failedSteps.filter((step) => !isCounted(step)).length;
  return { passed: sum(profiles, 'passed'), failed: sum(profiles, 'failed') + uncounted };
}

function countProfile(result) {
  if (!result) return { passed: 0, failed: 1 };
  const failed = result.numFailedTests + result.testResults.filter(failedOutsideOfTests).length;
  // An error that no test caught fails a run whose tests all passed.
  return { passed: result.numPassedTests, failed: failed === 0 && !result.success ? 1 : failed };
}

/** A spec file that could not be loaded, or whose hooks failed, may have no failed test of its own. */
function failedOutsideOfTests({ status, assertionResults }) {
  return status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
}

function sum(counts, key) {
  return counts.reduce((total, count) => total + count[key], 0);
}

/** The command whose results each test profile holds. */
const STEP_OF_PROFILE = { embedded: 'npm test', services: 'npm run test:services' };

export const PROFILES = Object.keys(STEP_OF_PROFILE);

/**
 * What CI reports as its last line.
 * @param {Record<string, { numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number } | undefined>} results
 *   jest's results by profile; a profile without any is a failure
 * @param {string[]} failedSteps commands that ended with an error
 * @returns {{ passed: number, failed: number }}
 */
export function countResults(results, failedSteps) {
  const profiles = PROFILES.map((profile) => ({ profile, ...countProfile(results[profile]) }));
  // A failed test run is in its profile's results already, unless jest failed for another reason than a test.
  const isCounted = (step) =>
    profiles.some(({ profile, failed }) => step.startsWith(STEP_OF_PROFILE[profile]) && failed > 0);
  const uncounted = failedSteps.filter((step) => !isCounted(step)).length;
  return { passed: sum(profiles, 'passed'), failed: sum(profiles, 'failed') + uncounted };
}

function countProfile(result) {
  if (!result) return { passed: 0, failed: 1 };
  // A spec file that could not be loaded has no failed test of its own.
  return { passed: result.numPassedTests, failed: result.numFailedTests + result.numRuntimeErrorTestSuites };
}

function sum(counts, key) {
  return counts.reduce((total, count) => total + count[key], 0);
}

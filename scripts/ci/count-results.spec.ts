import { countResults } from './count-results.mjs';

describe('the last line of CI', () => {
  const clean = { numPassedTests: 10, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

  it('adds up both profiles', () => {
    expect(countResults({ embedded: clean, services: clean }, [])).toEqual({ passed: 20, failed: 0 });
  });

  it('counts a failed test once, although its step failed too', () => {
    const broken = { ...clean, numFailedTests: 2 };
    expect(countResults({ embedded: broken, services: clean }, ['npm test --silent'])).toEqual({
      passed: 20,
      failed: 2,
    });
  });

  it('counts a spec file that could not be loaded', () => {
    const broken = { ...clean, numRuntimeErrorTestSuites: 1 };
    expect(countResults({ embedded: clean, services: broken }, ['npm run test:services --silent'])).toEqual({
      passed: 20,
      failed: 1,
    });
  });

  it('counts a profile without results, a failed lint, and a jest that failed without a failed test', () => {
    expect(countResults({ embedded: clean, services: undefined }, []).failed).toBe(1);
    expect(countResults({ embedded: clean, services: clean }, ['npm run lint --silent']).failed).toBe(1);
    expect(countResults({ embedded: clean, services: clean }, ['npm test --silent']).failed).toBe(1);
  });
});

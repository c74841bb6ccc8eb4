import { countResults } from './count-results.mjs';

describe('countResults', () => {
  const clean = { success: true, numPassedTests: 10, numFailedTests: 0, testResults: [] };
  const failedFile = (...statuses: string[]) => ({
    status: 'failed',
    assertionResults: statuses.map((status) => ({ status })),
  });

  it('adds up both profiles', () => {
    expect(countResults({ embedded: clean, services: clean }, [])).toEqual({ passed: 20, failed: 0 });
  });

  it('counts a failed test once, although its file and its step failed too', () => {
    const testResults = [failedFile('passed', 'failed', 'failed')];
    const broken = { ...clean, success: false, numFailedTests: 2, testResults };
    expect(countResults({ embedded: broken, services: clean }, ['npm test --silent'])).toEqual({
      passed: 20,
      failed: 2,
    });
  });

  it('counts a spec file that could not be loaded, and one whose hooks failed', () => {
    const broken = { ...clean, success: false, testResults: [failedFile(), failedFile('passed', 'skipped')] };
    expect(countResults({ embedded: clean, services: broken }, ['npm run test:services --silent'])).toEqual({
      passed: 20,
      failed: 2,
    });
  });

  it('counts an error that no test caught', () => {
    const broken = { ...clean, success: false };
    expect(countResults({ embedded: clean, services: broken }, ['npm run test:services --silent']).failed).toBe(1);
  });

  it('counts a profile without results, a failed lint, and a run that failed without a failed test', () => {
    expect(countResults({ embedded: clean, services: undefined }, []).failed).toBe(1);
    expect(countResults({ embedded: clean, services: clean }, ['npm run lint --silent']).failed).toBe(1);
    expect(countResults({ embedded: clean, services: clean }, ['npm test --silent']).failed).toBe(1);
  });
});

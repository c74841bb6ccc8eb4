import { versionConflict } from './expected-version.js';

describe('versionConflict', () => {
  it.each([
    [0, true, 412, 'send If-Match: "0" to create it'],
    [0, false, 409, 'send version 0 to create it'],
    [7, true, 412, 'with If-Match: "7"'],
    [7, false, 409, 'with version 7'],
  ])('of version %i names the version to send, in the header: %j', (version, inHeader, status, hint) => {
    const problem = versionConflict(version, { inHeader });
    expect(problem).toMatchObject({ status, options: { currentVersion: version } });
    expect(problem.detail).toContain(hint);
    // Routes that take If-Match alone refuse a field of that name.
    if (inHeader) expect(problem.detail).not.toMatch(/version \d/);
  });
});

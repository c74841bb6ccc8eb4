import { describeKey } from './describe-key.js';

describe('describeKey', () => {
  it.each(['ANNALS_OPERATOR_KEY', 'ANNALS_BOOTSTRAP_KEY'] as const)(
    'says what to do about a revoked %s',
    (variable) => {
      expect(describeKey(variable, true)).toMatch(new RegExp(`${variable} is valid`));
      expect(describeKey(variable, false)).toBe(
        `The key of ${variable} was revoked and remains revoked: set ${variable} to a new key.`,
      );
    },
  );
});

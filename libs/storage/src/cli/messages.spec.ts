import { describeKey, explainFailure } from './messages.js';

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

describe('explainFailure', () => {
  it.each([
    ['3D000', /create it first/],
    ['28P01', /user and password/],
    ['ECONNREFUSED', /host and port/],
    ['0A000', /pgvector/],
    ['42501', /may create roles/],
    ['55P03', /end long ones/],
    ['40P01', /end long ones/],
    ['XX000', /may create roles/],
  ])('says what to do about %s, without the text of the error', (code, advice) => {
    const text = explainFailure(Object.assign(new Error('password=hunter2'), { code }));
    expect(text).toContain(`(${code})`);
    expect(text).toMatch(advice);
    expect(text).not.toContain('hunter2');
  });
});

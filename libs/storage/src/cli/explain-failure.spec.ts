import { explainFailure } from './explain-failure.js';

describe('explainFailure', () => {
  it.each([
    ['3D000', /create it first/],
    ['28P01', /user and password/],
    ['ECONNREFUSED', /host and port/],
    ['0A000', /pgvector/],
    ['42501', /may create roles/],
    ['XX000', /may create roles/],
  ])('says what to do about %s, without the text of the error', (code, advice) => {
    const text = explainFailure(Object.assign(new Error('password=hunter2'), { code }));
    expect(text).toContain(`(${code})`);
    expect(text).toMatch(advice);
    expect(text).not.toContain('hunter2');
  });
});

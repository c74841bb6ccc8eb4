import { fail, formatUsd, ok, renderFinding, renderJson, renderSummary, skip, warn } from './report.js';

const ALL = [
  ok('a', 'A works.'),
  warn('b', 'B is old.', 'Renew it.'),
  fail('c', 'C is off.', 'Turn it on.'),
  skip('d', 'D.'),
];

describe('the report', () => {
  it('has one line for each finding, with its advice', () => {
    expect(ALL.map(renderFinding)).toEqual([
      'ok    A works.',
      'warn  B is old. Renew it.',
      'fail  C is off. Turn it on.',
      'skip  D.',
    ]);
  });

  it('has a summary as text and as JSON', () => {
    expect(renderSummary(ALL)).toBe('1 check failed, 1 warning, 1 passed, 1 skipped.');
    expect(renderSummary([ok('a', 'A.')])).toBe('Nothing failed, 0 warnings, 1 passed.');
    const report = { healthy: false, spentMicroUsd: 7, counts: { ok: 1, warn: 1, fail: 1, skip: 1 }, findings: ALL };
    expect(JSON.parse(renderJson(ALL, 7))).toEqual(report);
  });

  it.each([
    [0, '$0.0000'],
    [1, '$0.0001'],
    [1_234, '$0.0013'],
    [1_000_000, '$1.00'],
    [10_000_001, '$10.01'],
  ])('rounds %d micro-USD up to %s', (microUsd, text) => {
    expect(formatUsd(microUsd)).toBe(text);
  });
});

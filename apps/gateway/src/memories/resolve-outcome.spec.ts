import { ProblemError } from '@annals/contracts';
import { resolveOutcome } from './resolve-outcome.js';

const current = { state: 'active', valid_to: null, superseded_by: null } as const;

describe('resolveOutcome', () => {
  it.each([
    ['inserted_ended', 'inserted'],
    ['undone', 'updated'],
    ['merged', 'merged'],
  ] as const)('tells of a change that ended as %s: %s', (outcome, told) => {
    expect(resolveOutcome(outcome, current)).toBe(told);
  });

  it.each([
    ['was superseded', { superseded_by: '0196-7' }, 'Change the memory that superseded this one: see superseded_by.'],
    ['is quarantined', { state: 'quarantined' }, 'It is quarantined: release it first.'],
    [
      'has ended',
      { valid_to: '2026-03-01T00:00:00.000Z' },
      'It ended at 2026-03-01T00:00:00.000Z: add a new memory instead.',
    ],
  ] as const)('says what to do instead with a memory that %s', (_, fields, detail) => {
    const resolve = () => resolveOutcome('not_current', { ...current, ...fields });
    expect(resolve).toThrow(new ProblemError('memory_not_current', detail));
  });
});

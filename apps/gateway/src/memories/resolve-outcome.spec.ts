import { ProblemError } from '@annals/contracts';
import { resolveOutcome } from './resolve-outcome.js';

const current = { state: 'active', superseded_by: null } as const;

describe('resolveOutcome', () => {
  it.each([
    ['inserted_ended', 'inserted'],
    ['undone', 'updated'],
    ['merged', 'merged'],
  ] as const)('returns the outcome of a change that ended as %s as %s', (outcome, expected) => {
    expect(resolveOutcome(outcome, current)).toBe(expected);
  });

  it.each([
    ['was superseded', { superseded_by: '0196-7' }, 'Change the memory that superseded this one: see superseded_by.'],
    ['is quarantined', { state: 'quarantined' }, 'The memory is quarantined: release it first.'],
    ['has ended', {}, 'The validity of this memory has ended: add a new memory instead.'],
  ] as const)('throws memory_not_current with what to do instead for a memory that %s', (_, fields, detail) => {
    const resolve = () => resolveOutcome('not_current', { ...current, ...fields });
    expect(resolve).toThrow(new ProblemError('memory_not_current', detail));
  });
});

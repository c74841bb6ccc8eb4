import { DAY, observe, SimulatedLifecycle } from './lifecycle.fixture.js';

describe('an insight that lost its ground', () => {
  const lose = () => {
    const lifecycle = new SimulatedLifecycle();
    lifecycle.write([observe('The user prefers short answers.', { type: 'insight', sources: [] })], 20 * DAY);
    const { results, history } = lifecycle.write([{ kind: 'delete', memoryId: 'id-1', by: 'ground' }], 21 * DAY);
    return { lifecycle, results, history };
  };
  const stateOf = ({ rows }: SimulatedLifecycle) => [rows.get('id-1')!.state, rows.get('id-1')!.deletedBy];

  it('is deleted for this reason', () => {
    const { lifecycle, results, history } = lose();
    expect(results).toEqual([{ outcome: 'deleted', memoryId: 'id-1' }]);
    expect(history).toMatchObject([{ event: 'DELETE', meta: { reason: 'ground_lost' } }]);
    expect(stateOf(lifecycle)).toEqual(['soft_deleted', 'ground']);
  });

  it.each([
    ['restored', { kind: 'restore', memoryId: 'id-1' }, 'without_ground'],
    ['undone', { kind: 'undo', memoryId: 'id-1' }, 'not_undoable'],
  ] as const)('is not %s by hand', (_how, change, outcome) => {
    const { lifecycle } = lose();
    expect(lifecycle.write([change], 22 * DAY).results).toEqual([{ outcome, memoryId: 'id-1' }]);
    expect(stateOf(lifecycle)).toEqual(['soft_deleted', 'ground']);
  });

  it('returns with its ground, and can be inferred anew', () => {
    const { lifecycle } = lose();
    lifecycle.write([{ kind: 'restore', memoryId: 'id-1', by: 'ground' }], 22 * DAY);
    expect(stateOf(lifecycle)).toEqual(['active', null]);
    const { lifecycle: other } = lose();
    const again = observe('The user prefers short answers.', { type: 'insight', sources: [] });
    expect(other.write([again], 22 * DAY).results).toEqual([{ outcome: 'inserted', memoryId: 'id-2' }]);
  });
});

import type { ContextBasis } from './context-draft.js';
import { type ImportedContextValue, planImportedContext } from './plan-imported-context.js';
import type { StoredProposal } from './types.js';

const [BEFORE, SINCE, AFTER, NOW] = [1_000, 2_000, 3_000, 10_000];
const time = () => {
  let last = 0;
  return { now: NOW, nextId: () => `id-${++last}` };
};
const basisOf = (context: Partial<ContextBasis['context']>, proposals: readonly StoredProposal[] = []) => ({
  context: { id: 'context', revision: 1, fields: {}, goals: [], ...context },
  proposals,
});
const plan = (basis: ContextBasis, ...values: ImportedContextValue[]) => planImportedContext(basis, values, time());
const held = (value: string | null, since: number) => ({ value, since, by: 'ui' });

describe('planImportedContext', () => {
  it('takes values with the times that they hold since, and records each', () => {
    const planned = plan(
      basisOf({}),
      { field: 'city', value: 'Porto', since: SINCE },
      { field: 'tone', value: null, since: BEFORE },
      { field: 'insights', value: 'off', since: AFTER },
      { field: 'goals', value: 'learn to sail', since: SINCE },
    );
    expect(planned.outcomes).toEqual(['taken', 'taken', 'taken', 'taken']);
    expect(planned.context).toMatchObject({
      revision: 2,
      fields: {
        city: { value: 'Porto', since: SINCE, by: 'import' },
        tone: { value: null, since: BEFORE, by: 'import' },
        insights: { value: 'off', since: AFTER, by: 'import' },
      },
      goals: [{ value: 'learn to sail', since: SINCE, by: 'import' }],
    });
    expect(planned.history.map(({ content }) => content)).toEqual([
      'city: Porto',
      'tone',
      'insights: off',
      'goals_add: learn to sail',
    ]);
  });

  it.each([
    ['the same value', held('PORTO', AFTER), 'already_there'],
    ['a newer value', held('Faro', AFTER), 'newer_value'],
    ['a value of the same time', held('Faro', SINCE), 'newer_value'],
    ['a value that was cleared later', held(null, AFTER), 'newer_value'],
  ])('changes nothing where there is %s', (_what, city, outcome) => {
    const planned = plan(basisOf({ fields: { city } }), { field: 'city', value: 'Porto', since: SINCE });
    expect(planned).toMatchObject({ outcomes: [outcome], context: null, history: [] });
  });

  it('replaces what is older', () => {
    const planned = plan(basisOf({ fields: { city: held('Faro', BEFORE) } }), {
      field: 'city',
      value: 'Porto',
      since: SINCE,
    });
    expect(planned).toMatchObject({ outcomes: ['taken'], context: { fields: { city: { value: 'Porto' } } } });
  });

  it('never switches insights on again by an older decision', () => {
    const basis = basisOf({ fields: { insights: held('off', AFTER) } });
    const planned = plan(basis, { field: 'insights', value: 'on', since: SINCE });
    expect(planned).toMatchObject({ outcomes: ['newer_value'], context: null });
  });

  it('adds goals that are not there in other words, up to the most that can be stored', () => {
    const goals = Array.from({ length: 19 }, (_, index) => held(`visit country ${index}`, BEFORE));
    const planned = plan(
      basisOf({ goals: [...goals.slice(0, 18), held('run a marathon', BEFORE)] }),
      { field: 'goals', value: 'run the Lisbon marathon', since: SINCE },
      { field: 'goals', value: 'learn to sail', since: SINCE },
      { field: 'goals', value: 'learn to sail', since: AFTER },
      { field: 'goals', value: 'bake bread', since: SINCE },
    );
    expect(planned.outcomes).toEqual(['already_there', 'taken', 'already_there', 'too_many_goals']);
    expect(planned.context!.goals).toHaveLength(20);
  });

  it('answers proposals that waited: accepts the same value, and withdraws older ones', () => {
    const proposal = (id: string, value: string, saidAt: number): StoredProposal => ({
      id,
      field: 'city',
      value,
      key: value.toLowerCase(),
      state: 'pending',
      messageIds: ['m'],
      saidAt,
      createdAt: saidAt,
      expiresAt: NOW * 2,
      decidedAt: null,
      decidedBy: null,
    });
    const proposals = [
      proposal('same', 'Porto', BEFORE),
      proposal('other', 'Faro', BEFORE),
      proposal('later', 'Braga', AFTER),
    ];
    const planned = plan(basisOf({}, proposals), { field: 'city', value: 'Porto', since: SINCE });
    expect(planned.proposals.map(({ id, state }) => [id, state])).toEqual([
      ['same', 'accepted'],
      ['other', 'withdrawn'],
    ]);
  });
});

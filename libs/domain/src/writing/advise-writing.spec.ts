import { adviseAgainst, adviseWriting } from './advise-writing.js';

describe('advice on a text written by hand', () => {
  it('says what to do about each violation', () => {
    expect(adviseWriting({ content: 'I live in Lisbon.', type: 'semantic' })).toEqual([
      { rule: 'not_third_person', field: 'content', message: expect.stringContaining('third person') },
    ]);
  });

  it('says the same thing once for a whole text', () => {
    const steps = ['1.', '2.'];
    const writing = { content: 'How to deploy', type: 'procedural', steps } as const;
    const advice = adviseWriting(writing);
    expect(advice.map(({ field }) => field)).toEqual(['steps[0]', 'steps[1]']);
    expect(adviseAgainst(writing)).toBe(advice[0]!.message);
  });

  it('joins what there is to do', () => {
    const writing = { content: 'I leave tomorrow.', type: 'semantic' } as const;
    const messages = adviseWriting(writing).map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(adviseAgainst(writing)).toBe(messages.join(' '));
  });

  it('is none for a text that keeps to the rules', () => {
    const writing = { content: 'The user lives in Lisbon.', type: 'semantic' } as const;
    expect(adviseWriting(writing)).toEqual([]);
    expect(adviseAgainst(writing)).toBeNull();
  });
});

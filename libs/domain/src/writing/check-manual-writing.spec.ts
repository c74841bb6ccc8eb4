import { checkManualWriting, type ManualWriting } from './check-manual-writing.js';

const procedure = (content: string, steps?: readonly string[]): ManualWriting => ({
  content,
  steps,
  type: 'procedural',
});

describe('checkManualWriting', () => {
  it('names every rule that the content of a memory violates', () => {
    expect(checkManualWriting({ content: 'I leave tomorrow.', type: 'semantic' })).toEqual([
      { rule: 'not_third_person', field: 'content' },
      { rule: 'not_self_contained', field: 'content' },
    ]);
  });

  it.each([
    procedure('How to reset their password', ['Ask for your id. Wait. Then send them the link.']),
    procedure('How to proceed when you are paged', [`Log in ${'x'.repeat(200)}`]),
    procedure('How to deploy:\n1. Run the tests. They take a while.\n2. Push it tomorrow at the latest.'),
  ])('allows instructions to speak to their reader: $content', (writing) => {
    expect(checkManualWriting(writing)).toEqual([]);
  });

  it('names the steps of which nothing is left, and a title that needs its day', () => {
    expect(checkManualWriting(procedure('What to do tomorrow', ['Sleep.', '2. Then', '…']))).toEqual([
      { rule: 'not_self_contained', field: 'content' },
      { rule: 'empty', field: 'steps[1]' },
      { rule: 'empty', field: 'steps[2]' },
    ]);
  });
});

import { planEdit, type ShownLine } from './plan-edit.js';

const memory = (id: string, statement: string, own = true): ShownLine => ({
  text: `- ${statement}`,
  stored: { id, own, revision: 1, before: '- ', size: statement.length + 2 },
  statement,
  revision: 1,
});
const TEA = memory('m-1', 'The user likes tea.');
const DOG = memory('m-2', 'The user has a dog.');
const HEADING: ShownLine = { text: '# Mara', stored: '# Mara' };
const NONE = new Set<string>();

describe('planEdit', () => {
  it('keeps the memory of a line that moves or changes its bullet', () => {
    const { lines, removed } = planEdit([HEADING, TEA, DOG], '* The user has a dog.\n\n- The user likes tea.', NONE);
    expect(lines).toEqual([
      { keep: { id: 'm-2', own: true, revision: 1, before: '* ', size: 21 } },
      { keep: '' },
      { keep: { id: 'm-1', own: true, revision: 1, before: '- ', size: 21 } },
    ]);
    expect(removed).toEqual([]);
  });

  it('corrects the one statement that another takes the place of', () => {
    const { lines, removed } = planEdit(
      [HEADING, TEA, DOG],
      '# Mara\n- The user likes tea.\n- The user has a cat.',
      NONE,
    );
    expect(lines[2]).toMatchObject({ write: 'The user has a cat.', replaces: { id: 'm-2' } });
    expect(removed).toEqual([]);
  });

  it.each([
    ['that is one of two', [TEA, DOG], 'The user has a cat.\nThe user has a bike.', NONE, [TEA, DOG]],
    ['that was said elsewhere too', [memory('m-3', 'The user is old.', false)], 'The user is new.', NONE, undefined],
    ['that another file has', [TEA], 'The user likes coffee.', new Set(['m-1']), [TEA]],
    ['that another line has', [TEA, TEA], '- The user likes tea.\nThe user likes coffee.', NONE, [TEA]],
  ])('corrects none %s', (_which, shown, text, elsewhere, gone) => {
    const { lines, removed } = planEdit(shown, text, elsewhere);
    expect(lines.filter((line) => 'write' in line && line.replaces !== undefined)).toEqual([]);
    expect(removed).toEqual(gone ?? shown);
  });

  it('gives equal lines a memory each', () => {
    const { lines, removed } = planEdit([TEA, TEA], '- The user likes tea.', NONE);
    expect(lines).toEqual([{ keep: { id: 'm-1', own: true, revision: 1, before: '- ', size: 21 } }]);
    expect(removed).toEqual([TEA]);
  });
});

import { slugOf } from './headings.mjs';
import { findProblems } from './references.mjs';

describe('findProblems', () => {
  const page = [
    'docs/reference/budgets.md',
    '# Budgets\n\n## Budget day\n\n## `spent` and reserved\n\n## Budget day\n',
  ] as const;
  const check = (text: string, file = 'docs/notes.md') => findProblems(new Map([page, [file, text]]));
  // Concatenated, so that this file itself contains no broken citation.
  const reference = (target: string) => ['docs/reference', target].join('/');
  const foreign = (before: string, number: string | number) => `${before} ${number}`;

  it('accepts citations of a heading of the reference in a comment, a page and a link', () => {
    expect(check('// See docs/reference/budgets.md#budget-day.', 'libs/a/src/a.ts')).toEqual([]);
    expect(
      check('[spent](reference/budgets.md#spent-and-reserved), [again](reference/budgets.md#budget-day-1)'),
    ).toEqual([]);
  });

  it('reports the file, the line and the missing target', () => {
    expect(check(`one\n// ${reference('budgets.md#budget-week')}`, 'libs/a/src/a.ts')).toEqual([
      expect.objectContaining({ file: 'libs/a/src/a.ts', line: 2, message: expect.stringContaining('"budget-week"') }),
    ]);
    expect(check(reference('money.md'))[0]?.message).toContain(`no file ${reference('money.md')}`);
  });

  it.each([
    foreign('decision', 5),
    foreign('Decisions', 12),
    foreign('(SYS', '§7)'),
    foreign('LLM', '"Redaction"'),
    ['/** (decision', ' * 12) */'].join('\n'),
  ])('reports a document outside of the repository: %s', (text) => {
    expect(check(text, 'libs/a/src/a.ts')).toHaveLength(1);
  });

  it('accepts decision records, which have four digits', () => {
    expect(check(foreign('decision record', '0019'))).toEqual([]);
    expect(check(foreign('decision', '0019'))).toEqual([]);
  });

  it('accepts links of a page to files, folders and headings of the repository, and reports others', () => {
    expect(check('# Top\n[a](#top) [b](../docs) [c](https://example.org/x#y) `[d](nowhere.md)`')).toEqual([]);
    expect(check('```\n# no heading\n[a](nowhere.md)\n```\n')).toEqual([]);
    expect(check('[a](nowhere.md)')[0]?.message).toContain('no file docs/nowhere.md');
    expect(check('```\n# Top\n```\n[a](#top)')[0]?.message).toContain('no heading');
    expect(check('[a]: reference/budgets.md#budget-week')).toHaveLength(1);
  });
});

describe('slugOf', () => {
  it.each([
    ['Threshold alerts at 70, 90 and 100 percent', 'threshold-alerts-at-70-90-and-100-percent'],
    ['`as_of` and known_at', 'as_of-and-known_at'],
    ["Lock the user's row first", 'lock-the-users-row-first'],
    ['See [a page](x.md)', 'see-a-page'],
  ])('returns the id that GitHub gives %j', (heading, slug) => {
    expect(slugOf(heading)).toBe(slug);
  });
});

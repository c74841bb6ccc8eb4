import { checkMerge, type MergeProblem } from './check-merge.js';

const A = 'Ana works at Siemens in Erlangen.';
const B = 'Ana works at Siemens four days a week.';
const GOOD = 'Ana works at Siemens in Erlangen four days a week.';
const check = (content: string, [a, b] = [A, B], quotes: readonly string[] = []) =>
  checkMerge({
    parts: [
      { content: a, type: 'semantic' },
      { content: b, type: 'semantic' },
    ],
    content,
    quotes,
  });
const kindsOf = (problems: readonly MergeProblem[]) => problems.map(({ kind }) => kind);

describe('checkMerge', () => {
  it('accepts a text that says what both say', () => {
    expect(check(GOOD)).toEqual([]);
  });

  it.each<[string, MergeProblem['kind']]>([
    ['Ana works at Siemens in Erlangen.', 'lost'],
    ['Ana works at Siemens in Erlangen five days a week.', 'lost'],
    ['Ana works at Siemens in Erlangen four days a week since 2019.', 'invented'],
    ['Ana does not work at Siemens in Erlangen four days a week.', 'invented'],
    ['Ana works hard at Siemens in Erlangen four days a week.', 'invented_words'],
    ['Ana wants to work at Siemens in Erlangen four days a week.', 'changed'],
    ['Ana worked at Siemens in Erlangen four days a week.', 'changed'],
    ["Ana's sister works at Siemens in Erlangen four days a week.", 'changed'],
    ['She works at Siemens in Erlangen four days a week, Ana says.', 'writing'],
    [`${GOOD} ${'Ana works at Siemens in Erlangen. '.repeat(9)}`, 'writing'],
  ])('reports what is wrong with “%s”', (content, kind) => {
    expect(kindsOf(check(content))).toContain(kind);
  });

  it('names lost facts and words', () => {
    expect(check('Ana works at Siemens four days a week.')).toMatchObject([
      { kind: 'lost', facts: [{ kind: 'name', value: 'erlangen', text: 'Erlangen' }] },
      { kind: 'lost_words', words: ['erlangen'] },
    ]);
  });

  it('accepts words of quotes', () => {
    const content = 'Ana works at Siemens in Erlangen four days a week from a small office.';
    expect(kindsOf(check(content))).toEqual(['invented_words']);
    expect(check(content, [A, B], ['my office there is small'])).toEqual([]);
  });

  it.each([
    ['number', 'Ana has two cats.', 'Ana has three cats.'],
    ['date', 'Ana flies on 4 May.', 'Ana flies on 5 May.'],
    ['name', 'Ana reports to Jonas.', 'Ana reports to Helena.'],
    ['name', 'Ana lives in York.', 'Ana lives in New York.'],
    ['negation', 'Ana smokes.', 'Ana does not smoke.'],
    ['tense', 'Ana is a nurse.', 'Ana was a nurse.'],
    ['tense', 'Ana has a dog.', 'Ana had a dog.'],
    ['tense', 'Ana lives in Porto.', 'Ana lived in Porto with Ben.'],
    ['limit', 'Ana eats meat.', 'Ana eats meat only at Christmas.'],
    ['limit', 'Ana has a website.', 'Ana has a website idea.'],
    ['who', "The user's wife works at Siemens.", 'The user works at Siemens.'],
    ['who', 'The staging server runs Debian.', 'The production server runs Debian.'],
    ['order', 'Ana prefers tea over coffee.', 'Ana prefers coffee over tea.'],
    ['words', 'Ana painted the kitchen green.', 'Ana painted the bedroom green.'],
    ['words', 'Ana plays chess.', 'Ana watches chess videos.'],
  ])('refuses two statements that differ in %s, whatever the text', (conflict, a, b) => {
    for (const content of [a, b, `${a.slice(0, -1)} and ${b}`]) {
      expect(check(content, [a, b])).toEqual([{ kind: 'conflict', conflict }]);
    }
  });

  it('takes a perfect for what it goes on with', () => {
    expect(
      check('Ana has moved to Porto with Ben.', ['Ana moved to Porto.', 'Ana has moved to Porto with Ben.']),
    ).toEqual([]);
  });

  it('refuses a text that exchanges who does what', () => {
    const [a, b] = ['Ana taught Ben to juggle.', 'Ana taught Ben to juggle in May.'];
    expect(kindsOf(check('Ben taught Ana to juggle in May.', [a, b]))).toContain('changed');
  });
});

import { readFileSync } from 'node:fs';
import { DEFAULT_CATEGORY_CONFIG } from './default-categories.js';
import { parseCategories } from './parse-categories.js';

const problemsOf = (text: string) => {
  const parsed = parseCategories(text);
  if (parsed.ok) throw new Error('The file was accepted.');
  return parsed.problems.map(({ line, field, message }) => [line, field, message]);
};

describe('parseCategories', () => {
  it('parses the shipped example to the default configuration', () => {
    expect(parseCategories(readFileSync('categories.example.yaml', 'utf8'))).toEqual({
      ok: true,
      config: DEFAULT_CATEGORY_CONFIG,
    });
  });

  it('uses the shipped part for a part that is left out', () => {
    expect(parseCategories('')).toEqual({ ok: true, config: DEFAULT_CATEGORY_CONFIG });
    const parsed = parseCategories(
      'categories:\n  custom:\n    - {name: moods, context: all}\nallowlists: {coach: [moods, goals]}',
    );
    expect(parsed).toMatchObject({ ok: true, config: { allowlists: { coach: ['moods', 'goals'] } } });
    expect(parsed.ok && parsed.config.categories.at(-1)).toEqual({ name: 'moods', context: 'all' });
  });

  it('parses context modes, rag_length and on_request_only', () => {
    const parsed = parseCategories(
      'categories:\n  system:\n    - {name: a, context: all}\n    - {name: b, context: rag, rag_length: 7, on_request_only: true}\n    - {name: c, context: rag}\nallowlists: {}',
    );
    expect(parsed.ok && parsed.config.categories).toEqual([
      { name: 'a', context: 'all' },
      { name: 'b', context: 'rag', ragLength: 7, onRequestOnly: true },
      { name: 'c', context: 'rag', ragLength: 30 },
    ]);
  });

  it('parses the description of a category', () => {
    const parsed = parseCategories(
      'categories:\n  custom:\n    - {name: pets, context: all, description: " animals they live with "}',
    );
    expect(parsed.ok && parsed.config.categories.at(-1)).toEqual({
      name: 'pets',
      context: 'all',
      description: 'animals they live with',
    });
  });

  it.each<[string, string, number, string, RegExp]>([
    [
      'a description of several lines',
      'categories:\n  custom:\n    - name: pets\n      context: all\n      description: "a\\nb"',
      5,
      'categories.custom[0].description',
      /one line/,
    ],
    [
      'a description that is too long',
      `categories:\n  custom:\n    - {name: pets, context: all, description: ${'x'.repeat(201)}}`,
      3,
      'categories.custom[0].description',
      /200 characters/,
    ],
    [
      'no extractable category',
      'categories:\n  system:\n    - {name: activity, context: all}\nallowlists: {}',
      3,
      'categories.system',
      /define one besides activity/,
    ],
    [
      'an allowlist with an undefined category',
      'allowlists:\n  planner:\n    - goals\n    - taks',
      4,
      'allowlists.planner[1]',
      /planner names taks, which is not defined/,
    ],
    [
      'an unknown context mode',
      'categories:\n  custom:\n    - name: moods\n      context: some',
      4,
      'categories.custom[0].context',
      /all or rag/,
    ],
    [
      'a rag_length with the context all',
      'categories:\n  custom:\n    - name: moods\n      context: all\n      rag_length: 3',
      5,
      'categories.custom[0].rag_length',
      /remove rag_length/,
    ],
    [
      'an invalid rag_length',
      'categories:\n  custom:\n    - name: moods\n      context: rag\n      rag_length: 0',
      5,
      'categories.custom[0].rag_length',
      /1 to 1000/,
    ],
    [
      'a bad name',
      'categories:\n  custom:\n    - name: My moods\n      context: all',
      3,
      'categories.custom[0].name',
      /lower-case/,
    ],
    [
      'a category that is defined twice',
      'categories:\n  custom:\n\n    - {name: goals, context: all}',
      4,
      'categories.custom[0].name',
      /defined twice/,
    ],
    ['an unknown field', 'allowlists: {}\ncategroies: {}', 2, 'categroies', /Remove this field/],
    ['a list in the place of lists', 'allowlists:\n  - planner', 2, 'allowlists', /agents, each with a list/],
    ['a text', 'hello', 1, '', /Write the fields/],
    ['invalid YAML', 'allowlists:\n  planner: [goals', 2, '', /not valid YAML/],
    ['the same agent twice', 'allowlists:\n  planner: [goals]\n  planner: [tasks]', 3, '', /not valid YAML/],
  ])('rejects %s with line and field', (_what, text, line, field, message) => {
    expect(problemsOf(text)[0]).toEqual([line, field, expect.stringMatching(message)]);
  });

  it('reports all problems together', () => {
    expect(problemsOf('categories:\n  custom:\n    - {name: A, context: x}\n    - {context: rag}')).toHaveLength(3);
  });

  it('does not treat a property name of JavaScript objects as an agent', () => {
    const parsed = parseCategories('allowlists:\n  constructor: [goals]');
    expect(parsed.ok && Object.hasOwn(parsed.config.allowlists, 'constructor')).toBe(true);
    expect(parsed.ok && Object.hasOwn(parsed.config.allowlists, 'toString')).toBe(false);
  });
});

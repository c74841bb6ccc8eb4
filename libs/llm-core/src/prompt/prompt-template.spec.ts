import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, listCategoryNames, parseCategories } from '@annals/domain';
import { buildExtractionPrompt } from './build-extraction-prompt.js';
import { createPromptTemplate, DEFAULT_PROMPT_TEMPLATE, type PromptTemplate } from './prompt-template.js';

function read(text: string): CategoryConfig {
  const parsed = parseCategories(text);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.config;
}

/** What the schema lets a model choose. */
const offered = ({ schema }: PromptTemplate) =>
  (schema as { properties: { memories: { items: { properties: { category: { enum: string[] } } } } } }).properties
    .memories.items.properties.category.enum;
const told = ({ system }: PromptTemplate) => /^- category: (.*)\.$/m.exec(system)![1]!;

const CUSTOM =
  'categories:\n  custom:\n    - {name: pets, context: all, description: animals they live with}\n    - {name: moods, context: rag, on_request_only: true}';

describe('the template of an extraction prompt', () => {
  it('offers the shipped categories but those that no model files anything under, and tells what each is for', () => {
    const left = listCategoryNames(DEFAULT_CATEGORY_CONFIG).filter(
      (name) => !offered(DEFAULT_PROMPT_TEMPLATE).includes(name),
    );
    expect(left).toEqual(['activity', 'recent_activity', 'relationship_dynamic', 'procedural']);
    for (const name of offered(DEFAULT_PROMPT_TEMPLATE)) expect(told(DEFAULT_PROMPT_TEMPLATE)).toContain(`${name} (`);
  });

  it('is the shipped one for every file that asks for the same', () => {
    const reordered = { ...DEFAULT_CATEGORY_CONFIG, categories: DEFAULT_CATEGORY_CONFIG.categories.toReversed() };
    for (const config of [DEFAULT_CATEGORY_CONFIG, reordered, read('allowlists: {coach: [goals]}')]) {
      expect(createPromptTemplate(config)).toBe(DEFAULT_PROMPT_TEMPLATE);
    }
  });

  it('offers what an operator added, in the words of the file, behind the shipped ones', () => {
    const template = createPromptTemplate(read(CUSTOM));
    expect(offered(template)).toEqual([...offered(DEFAULT_PROMPT_TEMPLATE), 'pets', 'moods']);
    expect(told(template)).toBe(`${told(DEFAULT_PROMPT_TEMPLATE)}, pets (animals they live with), moods`);
  });

  it('offers nothing that is not configured, in the example neither', () => {
    const template = createPromptTemplate(
      read(
        'categories:\n  system:\n    - {name: pets, context: all}\n    - {name: goals, context: all}\nallowlists: {}',
      ),
    );
    expect(offered(template)).toEqual(['goals', 'pets']);
    expect(told(template)).toBe('goals (wants to reach), pets');
    expect(template.system).toContain('"category":"goals"');
    expect(template.system).not.toContain('"category":"event"');
  });

  it('takes the file’s word for what a shipped category is for', () => {
    const template = createPromptTemplate(
      read('categories:\n  system:\n    - {name: goals, context: all, description: of the season}\nallowlists: {}'),
    );
    expect(told(template)).toBe('goals (of the season)');
  });

  it('has the same bytes and a version of its own for each configuration', () => {
    const [one, same, other] = [CUSTOM, CUSTOM, CUSTOM.replace('animals', 'creatures')].map((text) =>
      createPromptTemplate(read(text)),
    );
    expect(JSON.stringify(same)).toBe(JSON.stringify(one));
    expect(one!.version).toMatch(/^extraction-\d+-[0-9a-f]{8}$/);
    expect(new Set([one, other, DEFAULT_PROMPT_TEMPLATE].map((template) => template!.version)).size).toBe(3);
    const prompt = buildExtractionPrompt({ excerpt: { messages: [], context: [] }, template: one! });
    expect([prompt.system, prompt.version]).toEqual([one!.system, one!.version]);
    expect(prompt.schema).toBe(one!.schema);
  });
});

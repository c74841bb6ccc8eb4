import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, listCategoryNames, parseCategories } from '@annals/domain';
import { buildExtractionPrompt } from './build-extraction-prompt.js';
import { createPromptTemplate, DEFAULT_PROMPT_TEMPLATE, type PromptTemplate } from './prompt-template.js';

function read(text: string): CategoryConfig {
  const parsed = parseCategories(text);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.config;
}

/** The categories that the schema allows. */
const listSchemaCategories = ({ schema }: PromptTemplate) =>
  (schema as { properties: { memories: { items: { properties: { category: { enum: string[] } } } } } }).properties
    .memories.items.properties.category.enum;
const getCategoryText = ({ system }: PromptTemplate) => /^- category: (.*)\.$/m.exec(system)![1]!;

const CUSTOM =
  'categories:\n  custom:\n    - {name: pets, context: all, description: animals they live with}\n    - {name: moods, context: rag, on_request_only: true}';

describe('the template of an extraction prompt', () => {
  it('contains the shipped categories that models may assign, with a description of each', () => {
    const omitted = listCategoryNames(DEFAULT_CATEGORY_CONFIG).filter(
      (name) => !listSchemaCategories(DEFAULT_PROMPT_TEMPLATE).includes(name),
    );
    expect(omitted).toEqual(['activity', 'recent_activity', 'relationship_dynamic', 'procedural']);
    for (const name of listSchemaCategories(DEFAULT_PROMPT_TEMPLATE))
      expect(getCategoryText(DEFAULT_PROMPT_TEMPLATE)).toContain(`${name} (`);
  });

  it('is the default template for configurations with the same categories', () => {
    const reordered = { ...DEFAULT_CATEGORY_CONFIG, categories: DEFAULT_CATEGORY_CONFIG.categories.toReversed() };
    for (const config of [DEFAULT_CATEGORY_CONFIG, reordered, read('allowlists: {coach: [goals]}')]) {
      expect(createPromptTemplate(config)).toBe(DEFAULT_PROMPT_TEMPLATE);
    }
  });

  it('adds configured categories with their descriptions after the shipped ones', () => {
    const template = createPromptTemplate(read(CUSTOM));
    expect(listSchemaCategories(template)).toEqual([...listSchemaCategories(DEFAULT_PROMPT_TEMPLATE), 'pets', 'moods']);
    expect(getCategoryText(template)).toBe(
      `${getCategoryText(DEFAULT_PROMPT_TEMPLATE)}, pets (animals they live with), moods`,
    );
  });

  it('contains no category that is not configured, also in the example', () => {
    const template = createPromptTemplate(
      read(
        'categories:\n  system:\n    - {name: pets, context: all}\n    - {name: goals, context: all}\nallowlists: {}',
      ),
    );
    expect(listSchemaCategories(template)).toEqual(['goals', 'pets']);
    expect(getCategoryText(template)).toBe('goals (wants to reach), pets');
    expect(template.system).toContain('"category":"goals"');
    expect(template.system).not.toContain('"category":"event"');
  });

  it('uses the configured description of a shipped category', () => {
    const template = createPromptTemplate(
      read('categories:\n  system:\n    - {name: goals, context: all, description: of the season}\nallowlists: {}'),
    );
    expect(getCategoryText(template)).toBe('goals (of the season)');
  });

  it('has the same bytes and version for the same configuration, and another version for each other one', () => {
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

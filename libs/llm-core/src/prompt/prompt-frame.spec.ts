import { type CategoryConfig, DEFAULT_CATEGORY_CONFIG, listCategoryNames, parseCategories } from '@annals/domain';
import { buildExtractionPrompt } from './build-extraction-prompt.js';
import { createPromptFrame, DEFAULT_PROMPT_FRAME, type PromptFrame } from './prompt-frame.js';

function read(text: string): CategoryConfig {
  const parsed = parseCategories(text);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.config;
}

/** What the schema lets a model choose. */
const offered = ({ schema }: PromptFrame) =>
  (schema as { properties: { memories: { items: { properties: { category: { enum: string[] } } } } } }).properties
    .memories.items.properties.category.enum;
const told = ({ system }: PromptFrame) => /^- category: (.*)\.$/m.exec(system)![1]!;

const CUSTOM =
  'categories:\n  custom:\n    - {name: pets, context: all, description: animals they live with}\n    - {name: moods, context: rag, on_request_only: true}';

describe('the frame of an extraction prompt', () => {
  it('offers the shipped categories but those that no model files anything under, and tells what each is for', () => {
    const left = listCategoryNames(DEFAULT_CATEGORY_CONFIG).filter(
      (name) => !offered(DEFAULT_PROMPT_FRAME).includes(name),
    );
    expect(left).toEqual(['activity', 'recent_activity', 'relationship_dynamic', 'procedural']);
    for (const name of offered(DEFAULT_PROMPT_FRAME)) expect(told(DEFAULT_PROMPT_FRAME)).toContain(`${name} (`);
  });

  it('is the shipped one for every file that asks for the same', () => {
    const reordered = { ...DEFAULT_CATEGORY_CONFIG, categories: DEFAULT_CATEGORY_CONFIG.categories.toReversed() };
    for (const config of [DEFAULT_CATEGORY_CONFIG, reordered, read('allowlists: {coach: [goals]}')]) {
      expect(createPromptFrame(config)).toBe(DEFAULT_PROMPT_FRAME);
    }
  });

  it('offers what an operator added, in the words of the file, behind the shipped ones', () => {
    const frame = createPromptFrame(read(CUSTOM));
    expect(offered(frame)).toEqual([...offered(DEFAULT_PROMPT_FRAME), 'pets', 'moods']);
    expect(told(frame)).toBe(`${told(DEFAULT_PROMPT_FRAME)}, pets (animals they live with), moods`);
  });

  it('offers nothing that is not configured, in the example neither', () => {
    const frame = createPromptFrame(
      read(
        'categories:\n  system:\n    - {name: pets, context: all}\n    - {name: goals, context: all}\nallowlists: {}',
      ),
    );
    expect(offered(frame)).toEqual(['goals', 'pets']);
    expect(told(frame)).toBe('goals (wants to reach), pets');
    expect(frame.system).toContain('"category":"goals"');
    expect(frame.system).not.toContain('"category":"event"');
  });

  it('takes the file’s word for what a shipped category is for', () => {
    const frame = createPromptFrame(
      read('categories:\n  system:\n    - {name: goals, context: all, description: of the season}\nallowlists: {}'),
    );
    expect(told(frame)).toBe('goals (of the season)');
  });

  it('has the same bytes and a version of its own for each configuration', () => {
    const [one, same, other] = [CUSTOM, CUSTOM, CUSTOM.replace('animals', 'creatures')].map((text) =>
      createPromptFrame(read(text)),
    );
    expect(JSON.stringify(same)).toBe(JSON.stringify(one));
    expect(one!.version).toMatch(/^extraction-\d+-[0-9a-f]{8}$/);
    expect(new Set([one, other, DEFAULT_PROMPT_FRAME].map((frame) => frame!.version)).size).toBe(3);
    const prompt = buildExtractionPrompt({ excerpt: { messages: [], context: [] }, frame: one! });
    expect([prompt.system, prompt.version]).toEqual([one!.system, one!.version]);
    expect(prompt.schema).toBe(one!.schema);
  });
});

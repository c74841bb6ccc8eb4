import { DEFAULT_CATEGORY_CONFIG, ManualClock } from '@annals/domain';
import {
  AnalysisCache,
  countTokens,
  createPromptTemplate,
  createProvider,
  DEFAULT_PROMPT_TEMPLATE,
  loadPricingCatalog,
} from '@annals/llm-core';
import type { StoredTurn } from '@annals/storage';
import { type BatchTurns, listOrder, selectExcerpt } from './select-excerpt.js';
import { prepareConversation, type PreparationOptions } from './prepare-conversation.js';

const makeTurns = (messages: number, words: number): BatchTurns => {
  const turns = Array.from({ length: messages + 2 }, (_, seq): StoredTurn => {
    const role = seq % 2 === 0 ? 'assistant' : 'user';
    const content = `Turn ${seq}. ${'I walk by the sea. '.repeat(words)}`;
    return { id: `id-${seq}`, seq, role, actorId: null, content, saidAt: seq * 60_000 };
  });
  return { context: turns.slice(0, 2), messages: turns.slice(2) };
};

const options = (more: Partial<PreparationOptions> = {}): PreparationOptions => ({
  template: DEFAULT_PROMPT_TEMPLATE,
  salience: { topK: 24, maxTokens: 3_000 },
  maxInputTokens: 200_000,
  estimateTokens: (text) => Math.ceil(text.length / 4),
  cache: new AnalysisCache(),
  ...more,
});
const prepare = (turns: BatchTurns, more?: Partial<PreparationOptions>) =>
  prepareConversation(selectExcerpt(turns), listOrder(turns), options(more));

describe('prepareConversation', () => {
  // Has to be the first test: nothing has loaded the token table yet.
  it('estimates tokens by the token table, not by length', async () => {
    const provider = createProvider({
      provider: 'openai',
      apiKey: 'none',
      model: 'any',
      isFree: true,
      timeoutMs: 1_000,
      catalog: loadPricingCatalog(),
      clock: new ManualClock(0),
    });
    const { prompt, promptTokens } = await prepare(makeTurns(10, 5), {
      estimateTokens: (text) => provider.estimateTokens(text),
    });
    const counts = await Promise.all([prompt.system, prompt.user, JSON.stringify(prompt.schema)].map(countTokens));
    expect(promptTokens).toBe(counts.reduce((sum, count) => sum + count, 0));
  });

  it('estimates the constant part of prompts once', async () => {
    const cache = new AnalysisCache();
    const estimateTokens = vi.fn((text: string) => text.length);
    const { prompt } = await prepare(makeTurns(2, 1), { cache, estimateTokens });
    await prepare(makeTurns(4, 1), { cache, estimateTokens });
    expect(estimateTokens.mock.calls.filter(([text]) => text === prompt.system)).toHaveLength(1);
  });

  it('includes a whole batch that fits, users’ messages to cite and the others as context', async () => {
    const { prompt, fitted } = await prepare(makeTurns(10, 1));
    expect(fitted.selection.prunedCount).toBe(0);
    expect([...prompt.messageIds.values()]).toEqual(['id-3', 'id-5', 'id-7', 'id-9', 'id-11']);
    expect(fitted.excerpt.context.map(({ id }) => id)).toContain('id-2');
  });

  it('prunes messages of a batch that is too long, and counts them', async () => {
    const { fitted } = await prepare(makeTurns(40, 60));
    expect(fitted.selection.prunedCount).toBeGreaterThan(0);
    expect(fitted.selection.estimatedTokens).toBeLessThanOrEqual(2_700);
  });

  it('includes fewer messages than configured for a model with a small input limit', async () => {
    const long = makeTurns(10, 500);
    const roomy = await prepare(long);
    expect(roomy.fitted.selection.selectedIds).toHaveLength(5);
    const tight = await prepare(long, { maxInputTokens: 8_000 });
    expect(tight.fitted.selection.estimatedTokens).toBeLessThanOrEqual(5_500);
    expect(tight.promptTokens).toBeLessThanOrEqual(8_000);
  });

  it('reserves tokens for the descriptions of categories', async () => {
    const custom = Array.from({ length: 60 }, (_, index) => ({
      name: `custom_${index}`,
      context: 'all' as const,
      description: 'something that matters here, '.repeat(6),
    }));
    const categories = [...DEFAULT_CATEGORY_CONFIG.categories, ...custom];
    const template = createPromptTemplate({ ...DEFAULT_CATEGORY_CONFIG, categories });
    const { prompt, promptTokens } = await prepare(makeTurns(10, 500), { template, maxInputTokens: 8_000 });
    expect(prompt.system).toContain('custom_59 (something that matters here');
    expect(promptTokens).toBeLessThanOrEqual(8_000);
  });

  it('returns the same prompt with and without cached analyses, and analyses nothing twice', async () => {
    const cache = new AnalysisCache();
    const turns = makeTurns(10, 3);
    const first = await prepare(turns, { cache });
    const again = await prepare(turns, { cache });
    expect(again.prompt).toEqual(first.prompt);
    expect([first.analysis.hits, again.analysis.misses]).toEqual([0, 0]);
  });
});

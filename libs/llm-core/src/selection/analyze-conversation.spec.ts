import { AnalysisCache, analyzeConversation } from './analyze-conversation.js';

const message = (id: string, content: string, role: 'user' | 'assistant' = 'user') => ({
  id,
  role,
  actorId: null,
  content,
  createdAt: 0,
});
const BATCH = [
  message('1', 'I love my new job!'),
  message('2', 'Well done.', 'assistant'),
  message('3', 'I hate my new job.'),
];

describe('analyzeConversation', () => {
  const countCharacters = (text: string) => text.length;

  it('returns moods, deltas and token estimates by message id', async () => {
    const { moods, deltas, tokens, hits, misses } = await analyzeConversation(BATCH, {
      estimateTokens: countCharacters,
    });
    expect(moods.get('1')).toBeGreaterThan(0);
    expect(moods.get('3')).toBeLessThan(0);
    expect(deltas.get('3')).toMatchObject({ direction: 'fall' });
    expect(Object.fromEntries(tokens)).toEqual({ 1: 18, 2: 10, 3: 18 });
    expect([hits, misses]).toEqual([0, 3]);
  });

  it('does not analyse cached messages again', async () => {
    const cache = new AnalysisCache();
    const estimateTokens = vi.fn(countCharacters);
    const first = await analyzeConversation(BATCH, { estimateTokens, cache });
    const second = await analyzeConversation([...BATCH, message('4', 'Never mind.')], { estimateTokens, cache });
    expect(estimateTokens).toHaveBeenCalledTimes(4);
    expect([second.hits, second.misses]).toEqual([3, 1]);
    expect(second.moods.get('3')).toBe(first.moods.get('3'));
  });

  it('accepts an empty conversation', async () => {
    const analysis = await analyzeConversation([], { estimateTokens: countCharacters });
    expect([analysis.moods.size, analysis.hits, analysis.misses]).toEqual([0, 0, 0]);
  });
});

describe('AnalysisCache', () => {
  const analysis = { mood: 0.5, tokens: 3 };

  it('uses both id and content of a message as its key', () => {
    const cache = new AnalysisCache();
    cache.set({ id: '1', content: 'tea' }, analysis);
    expect(cache.get({ id: '1', content: 'tea' })).toEqual(analysis);
    expect(cache.get({ id: '1', content: 'coffee' })).toBeUndefined();
    expect(cache.get({ id: '2', content: 'tea' })).toBeUndefined();
  });

  it('is bounded and evicts the least recently used entry', () => {
    const cache = new AnalysisCache(2);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, content: '' })) as [Key, Key, Key];
    cache.set(a, analysis);
    cache.set(b, analysis);
    cache.get(a);
    cache.set(c, analysis);
    expect([a, b, c].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  });
});

type Key = { id: string; content: string };

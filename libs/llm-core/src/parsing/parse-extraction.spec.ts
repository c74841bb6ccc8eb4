import { LLMError } from '../provider/llm-error.js';
import { parseExtraction } from './parse-extraction.js';

const MEMORY = {
  content: 'Ana likes tea.',
  category: 'preferences',
  evidence: [{ message_id: 'm1', quote: 'I like tea' }],
};
const answer = (memories: unknown) => JSON.stringify({ schemaVersion: 'memory_llm_response_v1', memories });

function failure(text: string): LLMError {
  try {
    parseExtraction(text);
  } catch (error) {
    if (error instanceof LLMError) return error;
  }
  throw new Error('expected an LLMError');
}

describe('parseExtraction', () => {
  it('reads an answer and fills what the schema gives by itself', () => {
    expect(parseExtraction(answer([MEMORY])).memories).toEqual([{ ...MEMORY, type: 'semantic', importance: 2 }]);
  });

  it('accepts an answer without memories', () => {
    expect(parseExtraction(answer([])).memories).toEqual([]);
  });

  it.each([
    ['prose', 'I like secrets'],
    ['nothing', ''],
    ['half an answer', answer([MEMORY]).slice(0, -3)],
  ])('calls %s a parsing error', (_, text) => {
    expect(failure(text)).toMatchObject({ type: 'parsing', retryable: true });
  });

  it('names the place that does not fit', () => {
    expect(failure(answer([{ ...MEMORY, importance: 9 }])).message).toContain('too_big at memories.0.importance');
    expect(failure(JSON.stringify({ schemaVersion: 'v2', memories: [] })).message).toContain('schemaVersion');
  });

  it('never repeats what the model wrote', () => {
    const broken = { ...MEMORY, category: 'Secret Words', emotionalContext: { secretKey: ['secret'] } };
    for (const text of [answer([broken]), '{"secret', 'secret'.repeat(50), answer('secret')]) {
      expect(failure(text).message.toLowerCase()).not.toContain('secret');
    }
  });

  it('sums up when many places do not fit', () => {
    expect(failure(answer([{}, {}, {}])).message).toMatch(/; and \d+ more\.$/);
  });
});

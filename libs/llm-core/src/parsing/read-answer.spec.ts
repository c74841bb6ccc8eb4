import { LLMError } from '../provider/llm-error.js';
import { BREAKAGES, DOG, PORTO, TEA, VALID } from './breakages.fixture.js';
import { readAnswer } from './read-answer.js';

const WHOLE = { truncated: false };

function failure(text: string, truncated = false): LLMError {
  try {
    readAnswer(text, { truncated });
  } catch (error) {
    if (error instanceof LLMError) return error;
    throw error;
  }
  throw new Error('expected an LLMError');
}

describe('readAnswer', () => {
  it('reads the agreed form as it is', () => {
    expect(readAnswer(VALID, WHOLE)).toEqual({ memories: [TEA, PORTO, DOG], repairs: 0, dropped: 0, adaptedFrom: null });
  });

  it.each(BREAKAGES)('gives no invented value: $name', ({ answer, outcome }) => {
    if (outcome === 'unreadable') {
      expect(failure(answer)).toMatchObject({ type: 'parsing', retryable: true });
    } else {
      const { memories, dropped } = readAnswer(answer, WHOLE);
      expect({ memories, dropped }).toEqual({ dropped: 0, ...outcome });
    }
  });

  it('knows more than 60 breakages, each by its own name', () => {
    expect(new Set(BREAKAGES.map(({ name }) => name)).size).toBe(BREAKAGES.length);
    expect(BREAKAGES.length).toBeGreaterThan(60);
  });
});

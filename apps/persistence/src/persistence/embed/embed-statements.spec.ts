import { LLMError } from '@annals/llm-core';
import { shouldRetryEmbedding } from './embed-statements.js';

describe('shouldRetryEmbedding', () => {
  it.each([
    ['transient', 1, true],
    ['timeout', 7, true],
    ['rate_limit', 0, false],
    ['authentication', 7, false],
    ['invalid_request', 7, false],
  ] as const)('returns for %j with %i attempts left: %j', (type, attemptsLeft, retried) => {
    expect(shouldRetryEmbedding(new LLMError(type, 'x'), attemptsLeft)).toBe(retried);
  });

  it('retries after any other error instead of writing without vectors', () => {
    expect(shouldRetryEmbedding(new Error('x'), 0)).toBe(true);
  });
});

import { LLMError } from '@annals/llm-core';
import { shouldRetryEmbedding, translateWriteError } from './translate-write-error.js';

const databaseError = (code: string) => Object.assign(new Error('x'), { code });

describe('translateWriteError', () => {
  it.each(['23505', '23503', '22P02'])('gives up on data that PostgreSQL refuses (%s)', (code) => {
    expect(translateWriteError(databaseError(code))).toMatchObject({ kind: 'permanent', code: 'invalid_request' });
  });

  it('tries a failed embedding call again, as late as the provider asks', () => {
    const jobError = translateWriteError(new LLMError('rate_limit', 'x', { retryAfterMs: 3_000 }));
    expect(jobError).toMatchObject({ kind: 'transient', code: 'rate_limit', retryAfterMs: 3_000 });
  });

  it.each([databaseError('57P01'), new Error('x')])('leaves other errors alone', (error) => {
    expect(translateWriteError(error)).toBeUndefined();
  });
});

describe('shouldRetryEmbedding', () => {
  it.each([
    ['transient', 1, true],
    ['timeout', 7, true],
    ['rate_limit', 0, false],
    ['authentication', 7, false],
    ['invalid_request', 7, false],
  ] as const)('after %j with %i attempts left: %j', (type, attemptsLeft, retried) => {
    expect(shouldRetryEmbedding(new LLMError(type, 'x'), attemptsLeft)).toBe(retried);
  });

  it('never hides an error of another kind behind missing vectors', () => {
    expect(shouldRetryEmbedding(new Error('x'), 0)).toBe(true);
  });
});

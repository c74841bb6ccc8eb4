import { LLMError } from '@annals/llm-core';
import { translateWriteError } from './write-batch.js';

const databaseError = (code: string) => Object.assign(new Error('x'), { code });

describe('translateWriteError', () => {
  it.each(['23505', '23503', '22P02'])('returns a permanent error for data that PostgreSQL refuses (%s)', (code) => {
    expect(translateWriteError(databaseError(code))).toMatchObject({ kind: 'permanent', code: 'invalid_request' });
  });

  it('returns a transient error for a failed embedding call, with its Retry-After', () => {
    const jobError = translateWriteError(new LLMError('rate_limit', 'x', { retryAfterMs: 3_000 }));
    expect(jobError).toMatchObject({ kind: 'transient', code: 'rate_limit', retryAfterMs: 3_000 });
  });

  it.each([databaseError('57P01'), new Error('x')])('returns undefined for other errors', (error) => {
    expect(translateWriteError(error)).toBeUndefined();
  });
});

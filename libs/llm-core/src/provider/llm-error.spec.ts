import { LLMError, LLM_ERROR_TYPES, MAX_RETRIES, isRetryable } from './llm-error.js';
import { parseRetryAfter } from './parse-limit-headers.js';

describe('LLMError', () => {
  it('defines the maximum retries of each error type', () => {
    expect(MAX_RETRIES).toMatchObject({ rate_limit: 3, timeout: 3, transient: 3, parsing: 1 });
    expect(LLM_ERROR_TYPES.filter(isRetryable)).toEqual(['rate_limit', 'timeout', 'parsing', 'transient']);
  });

  it('carries its details and no cause', () => {
    const error = new LLMError('rate_limit', 'Too many requests.', { status: 429, retryAfterMs: 500 });
    expect(error).toMatchObject({
      name: 'LLMError',
      type: 'rate_limit',
      status: 429,
      retryAfterMs: 500,
      retryable: true,
    });
    expect(error).not.toHaveProperty('cause');
  });
});

describe('parseRetryAfter', () => {
  const NOW = Date.UTC(2026, 0, 1);
  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '750', 'retry-after': '2' }, 750],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('parses %j', (headers, expected) => {
    expect(parseRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
  });
});
